;;; fastedit.el --- Apply code edits fast, through eglot -*- lexical-binding: t; -*-

;; Package-Requires: ((emacs "27.1") (eglot "1.9"))

;;; Commentary:

;; Makes fastedit the language server of the modes in `fastedit-modes'.  Eglot runs one server a
;; buffer: list only modes whose other server you can do without, or put a multiplexer in between.
;;
;;   (add-to-list 'load-path "editors/emacs")
;;   (require 'fastedit)
;;   (fastedit-setup)
;;
;; M-x eglot starts it; then
;;   M-x fastedit-apply         an instruction for the buffer, or for the region
;;   M-x fastedit-apply-update  changed code from the kill ring
;;   M-x fastedit-undo          takes the newest edit back, around what was typed since
;;   M-x eglot-code-actions     on a line such as "# fastedit: rename load to read"

;;; Code:

(require 'eglot)

(defgroup fastedit nil "Apply code edits fast." :group 'tools)

(defcustom fastedit-command '("fastedit" "lsp")
  "The program that serves edits, and its arguments."
  :type '(repeat string))

(defcustom fastedit-modes '(python-mode)
  "Major modes whose language server is fastedit."
  :type '(repeat symbol))

(defun fastedit-setup ()
  "Tell eglot to start fastedit in `fastedit-modes'."
  (add-to-list 'eglot-server-programs (cons fastedit-modes fastedit-command)))

(defun fastedit--range ()
  "The active region as a range of the protocol, nothing without one."
  (when (use-region-p)
    (list :range (list :start (eglot--pos-to-lsp-position (region-beginning))
                       :end (eglot--pos-to-lsp-position (region-end))))))

(defun fastedit--execute (command &rest wish)
  "Run COMMAND of the server on this buffer with WISH, without holding up Emacs."
  (let ((server (or (eglot-current-server) (user-error "No server here; M-x eglot starts it"))))
    (eglot--signal-textDocument/didChange)
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command
           :arguments (vector (append (list :textDocument (eglot--VersionedTextDocumentIdentifier)) wish)))
     :success-fn (lambda (_) (message "FastEdit: done"))
     :error-fn (lambda (error) (message "FastEdit: %s" (plist-get error :message)))
     :timeout 600)))

;;;###autoload
(defun fastedit-apply (instruction)
  "Edit the buffer, or the region, as INSTRUCTION says."
  (interactive "sWhat should change? ")
  (apply #'fastedit--execute "fastedit.apply" :instruction instruction (fastedit--range)))

;;;###autoload
(defun fastedit-apply-update ()
  "Apply the changed code that was killed or copied last."
  (interactive)
  (apply #'fastedit--execute "fastedit.apply" :update (current-kill 0) (fastedit--range)))

;;;###autoload
(defun fastedit-undo ()
  "Take the newest edit of this buffer back in one step."
  (interactive)
  (fastedit--execute "fastedit.undo"))

(provide 'fastedit)
;;; fastedit.el ends here
