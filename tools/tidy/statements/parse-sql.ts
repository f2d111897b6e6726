import { hasSqlDetails, loadModule, parseSync, type Node } from 'libpg-query'
import type { RenderedSql } from './render.ts'

await loadModule()

/** The statements of an SQL text, by the grammar of PostgreSQL. Throws an SqlError for invalid text. */
export const parseSql = (text: string): Node[] =>
  (parseSync(text).stmts ?? []).flatMap(({ stmt }) => (stmt ? [stmt] : []))

type Attempt = { readonly nodes: Node[] } | { readonly failedAt: number }

/** `failedAt` is the position of the error; an error without one is at the end. */
function attempt(text: string): Attempt {
  try {
    return { nodes: parseSql(text) }
  } catch (error) {
    return { failedAt: (hasSqlDetails(error) && error.sqlDetails?.cursorPosition) || text.length }
  }
}

/** What a parameter can stand for where a bound value is not valid: nothing, a query, a name, a list item with a name. */
const substitutes: readonly string[] = ['', 'select null', 'unknown_name', 'null as unknown_name', 'true']

/**
 * Parses a rendered statement. Where the grammar allows no parameter, what its caller passes is replaced by a substitute
 * that it allows. Null if none does.
 */
export function parseRendered({ text, holes }: RenderedSql): Node[] | null {
  let current = { text, holes }
  for (let tries = 0; tries <= holes.length; tries += 1) {
    const found = attempt(current.text)
    if ('nodes' in found) return found.nodes
    const better = substituteHole(current, found.failedAt)
    if (!better) return null
    current = better
  }
  return null
}

type HoledText = Pick<RenderedSql, 'text' | 'holes'>

/** Replaces the last parameter before an error so that the error is gone, or farther behind it. */
function substituteHole({ text, holes }: HoledText, failedAt: number): HoledText | null {
  const hole = holes.findLast(({ start }) => start <= failedAt)
  if (!hole) return null
  for (const substitute of substitutes) {
    const shift = substitute.length - (hole.end - hole.start)
    const replaced = `${text.slice(0, hole.start)}${substitute}${text.slice(hole.end)}`
    const found = attempt(replaced)
    if ('failedAt' in found && found.failedAt <= failedAt + Math.max(0, shift) + 1) continue
    const others = holes.filter((other) => other !== hole)
    return {
      text: replaced,
      holes: others.map(({ start, end }) =>
        start > hole.start ? { start: start + shift, end: end + shift } : { start, end },
      ),
    }
  }
  return null
}

/** The places of a statement in which a fragment can stand. */
const fragmentPlaces: readonly (readonly [before: string, after: string])[] = [
  ['', ''],
  ['select ', ''],
  ['select 1 where ', ''],
  ['select 1 from ', ''],
  ['select 1 ', ''],
  ['select 1 where true ', ''],
  ['with ', ' select 1'],
  ['select 1 order by ', ''],
  ['select 1 order by 1 ', ''],
  ['select 1 ', ' 1'],
  ['select null::', ''],
  ['select case 1 ', ' end'],
]

/** Parses a fragment of a statement in the first place where the grammar allows it; null if there is none. */
export function parseFragment({ text, holes }: RenderedSql): Node[] | null {
  for (const [before, after] of fragmentPlaces) {
    const moved = holes.map(({ start, end }) => ({ start: start + before.length, end: end + before.length }))
    const nodes = parseRendered({ text: `${before}${text}${after}`, holes: moved, templates: new Set() })
    if (nodes) return nodes
  }
  return null
}
