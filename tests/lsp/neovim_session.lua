-- What a person does in Neovim, written down as JSON for the test to judge.
local out, python, sketch = vim.env.FASTEDIT_OUT, vim.env.FASTEDIT_PYTHON, vim.env.FASTEDIT_SKETCH
local seen = { notes = {} }
vim.notify = function(text)
  table.insert(seen.notes, text)
end

local function lines()
  return vim.api.nvim_buf_get_lines(0, 0, -1, true)
end

local function wait(what, holds)
  if not vim.wait(100000, holds, 20) then
    error("never came: " .. what)
  end
end

local ok, failure = pcall(function()
  local fastedit = require("fastedit")
  fastedit.setup({ cmd = { python, "-c", "from fastedit.cli import main; main()", "lsp" } })
  seen.before = lines()
  vim.fn.setreg("a", sketch)

  vim.cmd("FastEditUpdate a")
  local review = fastedit.current()
  -- Typed while the edit runs.
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { "# typed" })
  wait("hunks", function()
    return not review.streaming
  end)
  seen.proposed = { lines = lines(), pending = #review:pending() }
  local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_create_namespace("fastedit"), 0, -1, { details = true })
  seen.virtual = 0
  for _, mark in ipairs(marks) do
    seen.virtual = seen.virtual + #(mark[4].virt_lines or {})
  end
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.cmd("FastEditAccept")
  seen.accepted_one = lines()
  vim.cmd("FastEditReject")
  seen.rejected_other = lines()
  seen.over = fastedit.reviews[vim.api.nvim_get_current_buf()] == nil

  vim.cmd("FastEditUpdate a")
  review = fastedit.current()
  wait("hunks again", function()
    return not review.streaming
  end)
  vim.cmd("let &undolevels = &undolevels") -- what comes is an undo step of its own, as it is for a person
  vim.cmd("FastEditAcceptAll")
  seen.accepted_all = lines()
  vim.cmd("silent undo")
  seen.undone = lines()

  vim.cmd("FastEditUpdate a")
  vim.cmd("FastEditCancel")
  seen.cancelled = { lines = lines(), over = fastedit.reviews[vim.api.nvim_get_current_buf()] == nil }
  vim.bo.readonly = true
  vim.cmd("FastEdit rename load to read")
end)
seen.failure = not ok and tostring(failure) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, out)
vim.cmd("qall!")
