-- A proposed edit under review: hunks are shown as virtual lines, and only an accepted one touches the buffer.
--
-- Extmarks carry a hunk along while the person types. A hunk is applied only where its lines still are exactly
-- those of the text that the edit was asked for.

local M = {}
M.__index = M

local namespace = vim.api.nvim_create_namespace("fastedit")

local function same(a, b)
  return vim.deep_equal(a, b)
end

--- A review of `buffer` as it is now. `on_settled` is called when nothing is left to decide.
function M.new(buffer, on_settled)
  local self = setmetatable({
    buffer = buffer,
    base = vim.api.nvim_buf_get_lines(buffer, 0, -1, true),
    changes = {}, -- what was typed since, so that a hunk that comes late lands where its lines have moved to
    hunks = {},
    streaming = true,
    readings = {}, -- the hunks of each text that may be meant, where there is a choice
    reading = 1,
    on_settled = on_settled or function() end,
  }, M)
  vim.api.nvim_buf_attach(buffer, false, {
    on_lines = function(_, _, _, first, last, new_last)
      if not self.streaming and (#self.readings == 0 or self.settled) then
        return true -- detaches
      end
      table.insert(self.changes, { first = first, last = last, shift = new_last - last })
    end,
  })
  return self
end

--- Where the base's lines are now; nil where a change met them.
local function moved(changes, start, stop)
  for _, change in ipairs(changes) do
    if change.last <= start then
      start, stop = start + change.shift, stop + change.shift
    elseif change.first < stop then
      return nil
    end
  end
  return start, stop
end

--- Adds a hunk from the server: the base's lines `start` up to but not including `stop`, from 0.
function M:add(hunk)
  local old = vim.list_slice(self.base, hunk.start + 1, hunk.stop)
  local start, stop = moved(self.changes, hunk.start, hunk.stop)
  local entry = { hunk = hunk, old = old, new = hunk.lines, state = "pending" }
  table.insert(self.hunks, entry)
  if start == nil or not same(vim.api.nvim_buf_get_lines(self.buffer, start, stop, false), old) then
    entry.state = "conflict"
    return
  end
  self:draw(entry, start, stop)
end

function M:draw(entry, start, stop)
  local lines = {}
  for _, line in ipairs(entry.new) do
    table.insert(lines, { { line == "" and " " or line, "DiffAdd" } })
  end
  -- Whatever is typed at either end stays outside.
  entry.mark = vim.api.nvim_buf_set_extmark(self.buffer, namespace, start, 0, {
    end_row = stop,
    end_col = 0,
    right_gravity = true,
    end_right_gravity = false,
    hl_group = stop > start and "DiffDelete" or nil,
    hl_eol = stop > start or nil,
    strict = false,
  })
  entry.shown = vim.api.nvim_buf_set_extmark(self.buffer, namespace, math.max(stop - 1, 0), 0, {
    virt_lines = lines,
    virt_lines_above = stop == 0,
    strict = false,
  })
end

--- A pending hunk's lines in the buffer; nil where they are not what they were.
function M:place(entry)
  local mark = vim.api.nvim_buf_get_extmark_by_id(self.buffer, namespace, entry.mark, { details = true })
  local start, stop = mark[1], math.max(mark[3].end_row or mark[1], mark[1])
  if #entry.old == 0 then
    stop = start
  end
  if same(vim.api.nvim_buf_get_lines(self.buffer, start, stop, false), entry.old) then
    return start, stop
  end
end

function M:erase(entry, state)
  entry.state = state
  for _, mark in ipairs({ entry.mark, entry.shown }) do
    vim.api.nvim_buf_del_extmark(self.buffer, namespace, mark)
  end
end

function M:in_state(state)
  return vim.tbl_filter(function(entry)
    return entry.state == state
  end, self.hunks)
end

function M:pending()
  return self:in_state("pending")
end

--- The pending hunk nearest to a line, counted from 0.
function M:nearest(line)
  local best, least
  for _, entry in ipairs(self:pending()) do
    local start, stop = self:place(entry)
    if start then
      local distance = math.max(start - line, line - math.max(stop - 1, start), 0)
      if best == nil or distance < least then
        best, least = entry, distance
      end
    end
  end
  return best
end

--- Puts a hunk into the buffer; false where its lines have changed.
function M:accept(entry)
  local start, stop = self:place(entry)
  if not start then
    self:erase(entry, "conflict")
    self:check()
    return false
  end
  self:erase(entry, "accepted")
  local empty = same(vim.api.nvim_buf_get_lines(self.buffer, 0, -1, true), { "" })
  -- A buffer without text has a line all the same.
  vim.api.nvim_buf_set_lines(self.buffer, start, empty and 1 or stop, true, entry.new)
  self:check()
  return true
end

function M:reject(entry)
  self:erase(entry, "rejected")
  self:check()
end

--- All pending hunks in one undo step. Those whose lines have changed become conflicts.
function M:accept_all()
  local pending = self:pending()
  for i = #pending, 1, -1 do
    self:accept(pending[i])
  end
end

function M:reject_all()
  for _, entry in ipairs(self:pending()) do
    self:erase(entry, "rejected")
  end
  self:check()
end

--- No hunk follows. `alternatives` are the result's.
function M:finish(alternatives)
  if alternatives and #alternatives > 0 then
    self.readings = { vim.tbl_map(function(entry)
      return entry.hunk
    end, self.hunks) }
    for _, other in ipairs(alternatives) do
      table.insert(self.readings, other.hunks)
    end
  end
  self.streaming = false
  self:check()
end

--- Shows the hunks of another reading in place of these; false where one of these is in the buffer already.
function M:read(reading)
  for _, entry in ipairs(self.hunks) do
    if entry.state == "accepted" then
      return false
    end
  end
  for _, entry in ipairs(self:pending()) do
    self:erase(entry, "rejected")
  end
  self.hunks, self.reading = {}, reading
  for _, hunk in ipairs(self.readings[reading]) do
    self:add(hunk)
  end
  self:check()
  return true
end

function M:check()
  if not self.streaming and #self:pending() == 0 then
    self.settled = true
    self.on_settled()
  end
end

return M
