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

--- The review of the edit in a register, as soon as it is known to be of this file.
local function applied(register)
  vim.cmd("FastEditApply " .. register)
  wait("a review", function()
    return require("fastedit").reviews[vim.api.nvim_get_current_buf()]
  end)
  return require("fastedit").current()
end

local ok, failure = pcall(function()
  local fastedit = require("fastedit")
  fastedit.setup({ cmd = { python, "-c", "from fastedit.cli import main; main()", "lsp" } })
  seen.before = lines()
  vim.fn.setreg("a", sketch)

  local review = applied("a")
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

  review = applied("a")
  wait("hunks again", function()
    return not review.streaming
  end)
  vim.cmd("let &undolevels = &undolevels") -- what comes is an undo step of its own, as it is for a person
  vim.cmd("FastEditAcceptAll")
  seen.accepted_all = lines()
  seen.all_over = fastedit.reviews[vim.api.nvim_get_current_buf()] == nil
  vim.cmd("silent undo")
  seen.undone = lines()

  applied("a")
  vim.cmd("FastEditCancel")
  seen.cancelled = { lines = lines(), over = fastedit.reviews[vim.api.nvim_get_current_buf()] == nil }

  vim.cmd("edit! caches.py")
  vim.fn.setreg("b", vim.env.FASTEDIT_TWICE)
  review = applied("b")
  wait("readings", function()
    return not review.streaming
  end)
  local function place()
    return review:pending()[1].hunk.start
  end
  vim.api.nvim_buf_set_lines(0, 0, 0, true, { "# typed" })
  seen.readings = { places = { place() } }
  vim.cmd("FastEditReading")
  table.insert(seen.readings.places, place())
  vim.cmd("FastEditReading 1")
  table.insert(seen.readings.places, place())
  vim.cmd("FastEditReading 3")
  vim.cmd("FastEditReading 2")
  vim.cmd("FastEditAccept")
  seen.readings.lines = lines()
  seen.readings.over = fastedit.reviews[vim.api.nvim_get_current_buf()] == nil
  vim.cmd("silent write")

  vim.lsp.handlers["window/showMessageRequest"] = function(_, request)
    seen.question = request.message
    return request.actions[1]
  end
  vim.fn.setreg("c", vim.env.FASTEDIT_SEVERAL)
  vim.cmd("FastEditApply c")
  wait("the change of several files", function()
    return seen.notes[#seen.notes] == "FastEdit: the change is in the buffers; :wall writes them"
  end)
  vim.cmd("silent wall")

  vim.fn.setreg("d", vim.env.FASTEDIT_MISSED)
  vim.cmd("FastEditApply d")
  wait("a refusal", function()
    return seen.notes[#seen.notes]:find("hunk 1")
  end)
  vim.fn.setreg("e", vim.env.FASTEDIT_OTHER)
  vim.cmd("FastEditApply e")
  wait("a review of the other file", function()
    return fastedit.reviews[vim.fn.bufnr("a.py")]
  end)
  wait("its hunks", function()
    return not fastedit.current().streaming
  end)
  vim.cmd("FastEditAcceptAll")
  seen.other = lines()

  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if options.format_item(item) == "rename" then
        return choose(item)
      end
    end
  end
  seen.asked = {}
  vim.ui.input = function(options, answer)
    table.insert(seen.asked, { options.prompt, options.default })
    answer(options.default or "read")
  end
  vim.fn.cursor(vim.fn.search("def load"), 5)
  vim.cmd("FastEditOperation")
  wait("a review of the operation", function()
    return fastedit.reviews[vim.fn.bufnr("a.py")] and not fastedit.current().streaming
  end)
  vim.cmd("FastEditAcceptAll")
  seen.operated = lines()
  vim.fn.setreg("f", vim.env.FASTEDIT_SKETCH)
  vim.cmd("edit! fresh.py")
  review = applied("f")
  wait("hunks of a fresh file", function()
    return not review.streaming
  end)
  vim.fn.setline(review:pending()[1].hunk.start + 1, "    typed = 1")
  vim.cmd("FastEditAcceptAll")
  seen.partial = { lines = lines(), note = seen.notes[#seen.notes] }
  vim.fn.setline(1, "# a\rb")
  vim.cmd("FastEdit rename load to read")
  seen.returned = seen.notes[#seen.notes]
  vim.bo.readonly = true
  vim.cmd("FastEdit rename load to read")
end)
seen.failure = not ok and tostring(failure) or nil
vim.fn.writefile({ vim.fn.json_encode(seen) }, out)
vim.cmd("qall!")
