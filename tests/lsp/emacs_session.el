;;; What a person does in Emacs, written down as JSON for the test to judge. -*- lexical-binding: t; -*-
(require 'json)
(require 'fastedit)

(setq fastedit-command
      (list (getenv "FASTEDIT_PYTHON") "-c" "from fastedit.cli import main; main()" "lsp")
      eglot-confirm-server-initiated-edits nil
      eglot-sync-connect 100
      make-backup-files nil)
(fastedit-setup)

(defvar seen nil)

(defun see (name value) (push (cons name value) seen))

(defun wait-for (what holds)
  (let ((end (+ (float-time) 100)))
    (while (not (funcall holds))
      (when (> (float-time) end) (error "Never came: %s" what))
      (accept-process-output nil 0.05)
      ;; A batch session is never idle, which is when eglot tells of typing.
      (eglot--signal-textDocument/didChange))))

(condition-case failure
    (with-current-buffer (find-file-noselect "a.py")
      (apply #'eglot (eglot--guess-contact))
      (let ((before (buffer-string)))
        (kill-new (getenv "FASTEDIT_SKETCH"))
        (fastedit-apply-kill)
        ;; Typed while the edit runs.
        (goto-char (point-min))
        (insert "# typed\n")
        (wait-for "the edit" (lambda () (string-match-p "version" (buffer-string))))
        (see 'applied (buffer-string))
        (fastedit-undo)
        (wait-for "the undo" (lambda () (not (string-match-p "version" (buffer-string)))))
        (see 'undone (buffer-string))
        (see 'before before)
        (search-forward "def load")
        (cl-letf (((symbol-function 'completing-read) (lambda (&rest _) "rename"))
                  ((symbol-function 'read-string) (lambda (_ &optional suggested) (or suggested "read"))))
          (fastedit-operation nil))
        (wait-for "the operation" (lambda () (string-match-p "def read" (buffer-string))))
        (see 'operated (buffer-string))
        (goto-char (point-min))
        (insert "# a\rb\n")
        (condition-case refusal (fastedit-apply "rename read to load")
          (error (see 'refused (error-message-string refusal))))))
  (error (see 'failure (error-message-string failure))))

(with-temp-file (getenv "FASTEDIT_OUT") (insert (json-encode seen)))
(kill-emacs 0)
