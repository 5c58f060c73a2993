// Redis runs each script as one step, so nothing runs in between. Each invalidation has a number, and each answer has
// the number of the last invalidation before it was begun. A tag with a higher number was invalidated since. The keys
// of tags begin with ARGV[1].

/** Invalidates some tags. KEYS: the last number. ARGV: prefix, seconds to remember it, tags. */
export const INVALIDATE = `
local number = redis.call('INCR', KEYS[1])
for i = 3, #ARGV do redis.call('SET', ARGV[1] .. ARGV[i], number, 'EX', ARGV[2]) end
return number`;

/** Keeps an answer. KEYS: its key. ARGV: prefix, its number, its id, the answer, until when, tags. */
export const SET = `
for i = 6, #ARGV do
  local number = redis.call('GET', ARGV[1] .. ARGV[i])
  if number and tonumber(number) > tonumber(ARGV[2]) then return 0 end
end
redis.call('DEL', KEYS[1])
redis.call('RPUSH', KEYS[1], ARGV[2], ARGV[3], ARGV[4])
for i = 6, #ARGV do redis.call('RPUSH', KEYS[1], ARGV[i]) end
redis.call('PEXPIREAT', KEYS[1], ARGV[5])
return 1`;

/** Returns an answer with its id, or only the id if the caller has the answer. KEYS: its key. ARGV: prefix, the id that the caller has. */
export const GET = `
local kept = redis.call('LRANGE', KEYS[1], 0, 1)
if not kept[1] then return false end
local tags = redis.call('LRANGE', KEYS[1], 3, -1)
for i = 1, #tags do
  local number = redis.call('GET', ARGV[1] .. tags[i])
  if number and tonumber(number) > tonumber(kept[1]) then
    redis.call('DEL', KEYS[1])
    return false
  end
end
if kept[2] == ARGV[2] then return { kept[2] } end
return { kept[2], redis.call('LINDEX', KEYS[1], 2) }`;

/** Ends a lock, unless it has expired and another instance has it. KEYS: its key. ARGV: who holds it. */
export const UNLOCK = `
if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;
