-- FastEdit for Neovim 0.7 and newer: edits stream into the buffer as virtual lines and are taken hunk by hunk.
--
--   require("fastedit").setup({ cmd = { "fastedit", "lsp" } })
--
--   :FastEdit rename load to read    the whole buffer, or the lines of a range
--   :FastEditApply                   an edit in any format from a register, by default +
--   :FastEditOperation[!]            a typed operation on what stands at the cursor; with ! all its fields are asked for
--   :FastEditReading [N]             the next reading of the update, or the Nth of those there are
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

-- The server ends a line at each carriage return, Neovim does not: the lines that they count would differ.
local function line_with_return(buffer)
  local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, true)
  for number, line in ipairs(lines) do
    local at = line:find("\r", 1, true)
    local ends = vim.bo[buffer].fileformat == "unix" and (number < #lines or vim.bo[buffer].endofline)
    if at and not (ends and at == #line) then
      return number
    end
  end
end

local function client_for(buffer)
  local number = line_with_return(buffer)
  if number then
    say("line " .. number .. " has a carriage return within; take it out first (:%s/\\r//)", vim.log.levels.ERROR)
    return nil
  end
  local client = client_id and vim.lsp.get_client_by_id(client_id)
  if not client or call(client, "is_stopped") then
    local capabilities = vim.lsp.protocol.make_client_capabilities()
    -- Neovim can, but older ones do not say so.
    capabilities.workspace.workspaceEdit.documentChanges = true
    client_id = vim.lsp.start_client({
      name = "fastedit",
      cmd = options.cmd,
      root_dir = vim.fn.getcwd(),
      capabilities = capabilities,
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
    for _, note in ipairs(result.notes or {}) do
      say(note)
    end
  end
  review:finish(result and result.alternatives)
end

--- Shows the next reading of the update under review, or the one at a place among them.
function M.read(place)
  local review = M.current()
  if not review then
    return
  end
  local count = #review.readings
  if count == 0 then
    return say("this edit has one reading only", vim.log.levels.WARN)
  elseif place and (place < 1 or place > count) then
    return say("there is no reading " .. place .. ": the update has " .. count, vim.log.levels.WARN)
  end
  if review:read(place or review.reading % count + 1) then
    say("reading " .. review.reading .. " of " .. count)
  else
    say("hunks of this reading are accepted; undo them first", vim.log.levels.WARN)
  end
end

--- Asks for an edit of the current buffer. `wish` has `instruction`, `update` or `operations`, and `first` and `last`
--- lines from 1.
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
    operations = wish.operations,
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

--- Applies an edit in any format. One of a single file is put under review there, one of several is confirmed as a whole.
--- `range` may have `first` and `last`, which narrow where an edit of the current buffer may land.
function M.apply(message, range)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_for(buffer)
  if not client then
    return nil
  end
  local argument = { message = message, uri = vim.uri_from_bufnr(buffer), review = true }
  local params = { command = "fastedit.applyChange", arguments = { argument } }
  call(client, "request", "workspace/executeCommand", params, function(error, result)
    if error then
      return say(error.message, vim.log.levels.ERROR)
    elseif result.applied then
      return say("the change is in the buffers; :wall writes them")
    elseif type(result.review) ~= "string" then
      return
    end
    local wanted = vim.uri_to_bufnr(result.review)
    vim.bo[wanted].buflisted = true
    vim.api.nvim_set_current_buf(wanted)
    M.edit(vim.tbl_extend("force", wanted == buffer and range or {}, { update = message }))
  end, buffer)
end

-- What was typed as a value of the type that a field has; one of any type takes JSON.
local function value_of(property, text)
  if property.type == "boolean" then
    return text == "true"
  elseif property.type then
    return text
  end
  local ok, value = pcall(vim.fn.json_decode, text)
  return ok and value or text
end

-- Asks for the fields from the first on, then hands over what was said; an empty one ends it where it is required.
local function ask(schema, fields, suggested, operation, done)
  local field = table.remove(fields, 1)
  if not field then
    return done(operation)
  end
  local property = schema.properties[field]
  local prompt = ("%s, %s (%s): "):format(operation.op, field, property.description)
  vim.ui.input({ prompt = prompt, default = suggested[field] }, function(text)
    if text and text ~= "" then
      operation[field] = value_of(property, text)
    elseif vim.tbl_contains(schema.required, field) then
      return
    end
    ask(schema, fields, suggested, operation, done)
  end)
end

-- Required fields in their order, but for the operation's name; with `all` the others behind them.
local function fields_of(schema, all)
  local fields = vim.list_slice(schema.required, 2)
  for name in pairs(all and schema.properties or {}) do
    if not vim.tbl_contains(schema.required, name) then
      table.insert(fields, name)
    end
  end
  return fields
end

--- Asks for an operation of the buffer's language and its fields, and puts what it makes under review. With `all` also for
--- the fields that need not be given.
function M.operation(all)
  local buffer = vim.api.nvim_get_current_buf()
  local client = client_for(buffer)
  if not client then
    return nil
  end
  local place = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local params = { command = "fastedit.operations", arguments = { place } }
  call(client, "request", "workspace/executeCommand", params, function(error, result)
    if error then
      return say(error.message, vim.log.levels.ERROR)
    end
    local function name(schema)
      return schema.properties.op.const
    end
    local options = { prompt = "FastEdit: operation", format_item = name }
    vim.ui.select(result.operations, options, function(schema)
      if schema then
        ask(schema, fields_of(schema, all), result.suggested, { op = name(schema) }, function(operation)
          M.edit({ operations = { operation } })
        end)
      end
    end)
  end, buffer)
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

function M.accept_all()
  local review = M.current()
  if review then
    review:accept_all()
    local missed = #review:in_state("conflict")
    if missed > 0 then
      say(missed .. " of " .. #review.hunks .. " hunks were not applied: their lines have changed", vim.log.levels.WARN)
    end
  end
end

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
  define("FastEditApply", function(command)
    M.apply(vim.fn.getreg(command.reg ~= "" and command.reg or "+"), range_of(command))
  end, { register = true, range = true, desc = "Apply an edit in any format from a register" })
  define("FastEditOperation", function(command)
    M.operation(command.bang)
  end, { bang = true, desc = "Carry out a typed operation, which is asked for" })
  define("FastEditAccept", M.accept, { desc = "Accept the hunk at the cursor" })
  define("FastEditReject", M.reject, { desc = "Reject the hunk at the cursor" })
  define("FastEditAcceptAll", M.accept_all, { desc = "Accept all hunks" })
  define("FastEditRejectAll", with_review("reject_all"), { desc = "Reject all hunks" })
  define("FastEditReading", function(command)
    M.read(tonumber(command.args))
  end, { nargs = "?", desc = "Show another reading of the update" })
  define("FastEditCancel", with_review("cancel"), { desc = "Cancel the edit" })
end

return M
