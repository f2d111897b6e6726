import { Problem, validationProblem } from '../problem.ts'

const max_depth = 64

/** Maximum members of one object and items of one array: more than any operation needs, and still cheap to validate. */
const max_members = 10_000
const max_items = 100_000
/**
 * Maximum of different names in one document. The parser takes some microseconds for each new name, and for each member
 * of an object that has many: a megabyte of them would hold the process for half a second.
 */
const max_names = 20_000
const crowded_members = 200
const max_crowded_members = 20_000

/**
 * Parses JSON. Throws `malformed` if it is not valid, is nested too deep or has a member `__proto__`; `too-large` if an
 * object or array has too many entries, or all objects together too many; and `validation` for strings that PostgreSQL cannot store, with their path below
 * `at`.
 */
export function parseJson(text: string, at = ''): unknown {
  checkLimits(text)
  // Careless code would take a member of this name for the prototype.
  if (text.includes('"__proto__"')) throw new Problem('malformed', 'The JSON has a member named "__proto__".')
  const value = parse(text)
  // NUL and lone surrogates cannot be stored in PostgreSQL, and can only occur as escapes here.
  if (/\\u(0000|d[89a-f])/i.test(text)) requireStorable(value, at)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Problem('malformed', 'The JSON is not valid.')
  }
}

/** Throws `validation` for a string or member name with a NUL character or a lone surrogate. */
function requireStorable(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\u0000')) throw validationProblem([{ path, message: 'has a NUL character' }])
    if (!value.isWellFormed()) throw validationProblem([{ path, message: 'has half a surrogate pair' }])
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      requireStorable(name, path)
      requireStorable(member, path ? `${path}.${name}` : name)
    }
  }
}

/** The counters of a scan of a text. */
interface ScanState {
  /** The number of further entries that each open bracket may have, by depth. */
  readonly remaining: Int32Array
  /** Hashes of the different names of members. */
  readonly names: Set<number>
  depth: number
  remaining_crowded: number
}

/**
 * Counts brackets, commas and names outside of strings before the parser recurses and allocates. Throws `malformed` or
 * `too-large`.
 */
function checkLimits(text: string): void {
  // Each level and each entry takes at least one character, so a short text cannot exceed the limits.
  if (text.length <= max_depth) return
  const state: ScanState = {
    remaining: new Int32Array(max_depth + 1).fill(max_items),
    names: new Set(),
    depth: 0,
    remaining_crowded: max_crowded_members,
  }
  let isQuoted = false
  let hash = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === 34) isQuoted = false
      else {
        hash = (Math.imul(hash, 31) + code) | 0
        if (code === 92) at++
      }
    } else if (code === 34) {
      isQuoted = true
      hash = 0
    } else if (code === 44) {
      if (--state.remaining[state.depth]! <= 0) throw tooManyEntries()
    } else if (code === 58) countMember(state, hash)
    else if (code === 123 || code === 91) {
      if (++state.depth > max_depth)
        throw new Problem('malformed', `The JSON is nested deeper than ${max_depth} levels.`)
      state.remaining[state.depth] = code === 123 ? max_members : max_items
    } else if (code === 125 || code === 93) state.depth = Math.max(0, state.depth - 1)
  }
}

function countMember(state: ScanState, name: number): void {
  if (state.remaining[state.depth]! < max_members - crowded_members && --state.remaining_crowded < 0)
    throw new Problem(
      'too-large',
      `The members of objects beyond the first ${crowded_members} of each are more than ${max_crowded_members}.`,
    )
  if (state.names.add(name).size > max_names)
    throw new Problem('too-large', `A body may have at most ${max_names} different names of members.`)
}

const tooManyEntries = (): Problem =>
  new Problem('too-large', `An object may have at most ${max_members} members, an array at most ${max_items} items.`)
