-- FastEdit for Neovim 0.7 and newer: edits stream into the buffer as virtual lines and are taken hunk by hunk.
--
--   require("fastedit").setup({ cmd = { "fastedit", "lsp" } })
--
--   :FastEdit rename load to read    the whole buffer, or the lines of a range
--   :FastEditUpdate                  changed code from a register, by default +
--   :FastEditAccept  :FastEditReject  :FastEditAcceptAll  :FastEditRejectAll  :FastEditCancel

local Review = require("fastedit.review")

local M = { reviews = {}, last = nil }
local options = { cmd = { "fastedit", "lsp" }, init_options = {}, policy = nil }
local client_id
local tokens = {} -- what our progress tokens stand for
local count = 0

local function say(text, level)
  vim.notify("FastEdit: " .. text, level or vim.log.levels.INFO)
end

-- Methods take the client itself since Neovim 0.11.
local function call(client, method, ...)
  if vim.fn.has("nvim-0.11") == 1 then
    return client[method](client, ...)
  end
  return client[method](...)
end

local function on_progress(error, result, context, config)
  local review = result and tokens[result.token]
  if not review then
    local default = vim.lsp.handlers["$/progress"]
    return default and default(error, result, context, config)
  end
  if result.value.kind == "hunk" then
    review:add(result.value.hunk)
    vim.cmd("redraw")
  end
end

local function client_for(buffer)
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  if not client or call(client, "is_stopped") then
    client_id = vim.lsp.start_client({
      name = "fastedit",
      cmd = options.cmd,
      root_dir = vim.fn.getcwd(),
      init_options = next(options.init_options) and options.init_options or nil,
      handlers = { ["$/progress"] = on_progress },
      on_exit = function(code)
        if code ~= 0 then
          vim.schedule(function()
            say("the server stopped; your text is as it was, the next edit starts it again", vim.log.levels.WARN)
          end)
        end
      end,
    })
    if not client_id then
      say("cannot start " .. table.concat(options.cmd, " ") .. "; set cmd in setup()", vim.log.levels.ERROR)
      return nil
    end
    client = vim.lsp.get_client_by_id(client_id)
  end
  if not vim.lsp.buf_is_attached(buffer, client_id) then
    vim.lsp.buf_attach_client(buffer, client_id)
  end
  return client
end

local function finished(review, error, result)
  M.last = result or M.last
  if error then
    review:reject_all()
    if error.code ~= -32800 then -- cancelled
      say(error.message, vim.log.levels.ERROR)
    end
  else
    for i = #review.hunks + 1, #result.hunks do
      review:add(result.hunks[i])
    end
    if result.status == "suspect" then
      say("suspect: " .. table.concat(result.reasons, "; "), vim.log.levels.WARN)
    elseif #result.hunks == 0 then
      say("nothing had to change")
    end
  end
  review:finish()
end

--- Asks for an edit of the current buffer. `wish` has `instruction` or `update`, and `first` and `last` lines from 1.
function M.edit(wish)
  local buffer = vim.api.nvim_get_current_buf()
  if not vim.bo[buffer].modifiable or vim.bo[buffer].readonly then
    return say("this buffer is read-only", vim.log.levels.ERROR)
  elseif M.reviews[buffer] then
    return say("an edit of this buffer is still under review; decide or :FastEditCancel", vim.log.levels.WARN)
  end
  local client = client_for(buffer)
  if not client then
    return nil
  end
  count = count + 1
  local token = "fastedit-nvim-" .. count
  local review = Review.new(buffer, function()
    M.reviews[buffer] = nil
  end)
  M.reviews[buffer], tokens[token] = review, review
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer), version = (vim.lsp.util.buf_versions or {})[buffer] },
    instruction = wish.instruction,
    update = wish.update,
    policy = options.policy,
    partialResultToken = token,
  }
  if wish.first then
    params.range = {
      start = { line = wish.first - 1, character = 0 },
      ["end"] = { line = wish.last, character = 0 },
    }
  end
  local _, request = call(client, "request", "fastedit/edit", params, function(error, result)
    tokens[token] = nil
    finished(review, error, result)
  end, buffer)
  review.cancel = function()
    call(client, "cancel_request", request)
    tokens[token] = nil
    review:reject_all()
    review:finish()
  end
  return review
end

--- The review of the current buffer; says so where there is none.
function M.current()
  local review = M.reviews[vim.api.nvim_get_current_buf()]
  if not review then
    say("no edit of this buffer is under review", vim.log.levels.WARN)
  end
  return review
end

local function at_cursor(act)
  return function()
    local review = M.current()
    local entry = review and review:nearest(vim.api.nvim_win_get_cursor(0)[1] - 1)
    if entry then
      act(review, entry)
    elseif review then
      say("no hunk is left to decide", vim.log.levels.WARN)
    end
  end
end

M.accept = at_cursor(function(review, entry)
  if not review:accept(entry) then
    say("its lines have changed; nothing was applied", vim.log.levels.WARN)
  end
end)
M.reject = at_cursor(function(review, entry)
  review:reject(entry)
end)

local function with_review(method)
  return function()
    local review = M.current()
    return review and review[method](review)
  end
end

local function range_of(command)
  return command.range > 0 and { first = command.line1, last = command.line2 } or {}
end

function M.setup(given)
  options = vim.tbl_extend("force", options, given or {})
  local define = vim.api.nvim_create_user_command
  define("FastEdit", function(command)
    M.edit(vim.tbl_extend("force", range_of(command), { instruction = command.args }))
  end, { nargs = "+", range = true, desc = "Edit the buffer as an instruction says" })
  define("FastEditUpdate", function(command)
    local text = vim.fn.getreg(command.reg ~= "" and command.reg or "+")
    M.edit(vim.tbl_extend("force", range_of(command), { update = text }))
  end, { register = true, range = true, desc = "Apply changed code from a register" })
  define("FastEditAccept", M.accept, { desc = "Accept the hunk at the cursor" })
  define("FastEditReject", M.reject, { desc = "Reject the hunk at the cursor" })
  define("FastEditAcceptAll", with_review("accept_all"), { desc = "Accept all hunks" })
  define("FastEditRejectAll", with_review("reject_all"), { desc = "Reject all hunks" })
  define("FastEditCancel", with_review("cancel"), { desc = "Cancel the edit" })
end

return M
