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
;;   M-x fastedit-apply-kill    what was killed or copied last: an edit in any format, of any files
;;   M-x fastedit-operation     a typed operation on what stands at point; with C-u all its fields
;;   M-x fastedit-undo          takes the newest edit back, around what was typed since
;;   M-x eglot-code-actions     on a line such as "# fastedit: rename load to read"

;;; Code:

(require 'eglot)

(defgroup fastedit nil "Apply code edits fast." :group 'tools)

(defcustom fastedit-command '("fastedit" "lsp")
  "The program that serves edits, and its arguments."
  :type '(repeat string))

(defcustom fastedit-modes '(python-mode python-ts-mode)
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

(defun fastedit--edit (command &rest wish)
  "Run COMMAND of the server on this buffer with WISH."
  (apply #'fastedit--execute command :textDocument (eglot--VersionedTextDocumentIdentifier) wish))

(defun fastedit--check-lines ()
  "Signal an error for a carriage return within a line: the server ends a line there, Emacs does not."
  (save-excursion
    (goto-char (point-min))
    (when (re-search-forward "\r\\(?:[^\n]\\|\\'\\)" nil t)
      (user-error "Line %d has a carriage return within; take it out first"
                  (line-number-at-pos (match-beginning 0))))))

(defun fastedit--server ()
  "The server of this buffer, told of all changes."
  (fastedit--check-lines)
  (prog1 (or (eglot-current-server) (user-error "No server here; M-x eglot starts it"))
    (eglot--signal-textDocument/didChange)))

(defun fastedit--execute (command &rest argument)
  "Run COMMAND of the server with ARGUMENT, without holding up Emacs."
  (let ((server (fastedit--server)))
    (jsonrpc-async-request
     server :workspace/executeCommand
     (list :command command :arguments (vector argument))
     :success-fn (lambda (_) (message "FastEdit: done"))
     :error-fn (lambda (error) (message "FastEdit: %s" (plist-get error :message)))
     :timeout 600)))

;;;###autoload
(defun fastedit-apply (instruction)
  "Edit the buffer, or the region, as INSTRUCTION says."
  (interactive "sWhat should change? ")
  (apply #'fastedit--edit "fastedit.apply" :instruction instruction (fastedit--range)))

;;;###autoload
(defun fastedit-apply-kill ()
  "Apply the edit that was killed or copied last, in any format; one that names no file is for this buffer."
  (interactive)
  (fastedit--execute "fastedit.applyChange"
                     :message (current-kill 0)
                     :uri (plist-get (eglot--TextDocumentIdentifier) :uri)))

(defun fastedit--field (name property suggested)
  "Ask for the field NAME, which takes what PROPERTY, a JSON schema, says; SUGGESTED is filled in."
  (let ((prompt (format "%s (%s): " name (plist-get property :description)))
        (type (plist-get property :type)))
    (cond ((equal type "boolean") (if (y-or-n-p prompt) t :json-false))
          ((plist-get property :enum) (completing-read prompt (append (plist-get property :enum) nil) nil t))
          (t (let ((text (read-string prompt suggested)))
               ;; What may be any JSON is text where it is none.
               (if type text (condition-case nil
                                 (json-parse-string text :object-type 'plist :false-object :json-false)
                               (error text))))))))

;;;###autoload
(defun fastedit-operation (all)
  "Carry out a typed operation on this buffer; asks which one, and for its fields.
With ALL, the prefix argument, also for those that need not be given, of which an empty one is left out."
  (interactive "P")
  (let* ((listed (jsonrpc-request
                  (fastedit--server) :workspace/executeCommand
                  (list :command "fastedit.operations"
                        :arguments (vector (list :textDocument (eglot--TextDocumentIdentifier)
                                                 :position (eglot--pos-to-lsp-position))))))
         (schemas (mapcar (lambda (schema)
                            (cons (plist-get (plist-get (plist-get schema :properties) :op) :const) schema))
                          (plist-get listed :operations)))
         (name (completing-read "Operation: " schemas nil t))
         (schema (cdr (assoc name schemas)))
         (required (append (plist-get schema :required) nil))
         (operation (list :op name)))
    (cl-loop for (key property) on (plist-get schema :properties) by #'cddr
             for field = (substring (symbol-name key) 1)
             when (and (not (eq key :op)) (or all (member field required)))
             do (let ((value (fastedit--field field property
                                              (plist-get (plist-get listed :suggested) key))))
                  (unless (equal value "")
                    (setq operation (plist-put operation key value)))))
    (fastedit--edit "fastedit.apply" :operations (vector operation))))

;;;###autoload
(defun fastedit-undo ()
  "Take the newest edit of this buffer back in one step."
  (interactive)
  (fastedit--edit "fastedit.undo"))

(provide 'fastedit)
;;; fastedit.el ends here
