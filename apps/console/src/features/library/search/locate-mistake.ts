import { ApiProblem } from '@swath/client/problem.ts'
import { tokenize } from './cql2-tokens.ts'
import type { Cql2Json } from './parse-cql2-text.ts'

/** A mistake in a text, with its place. */
export interface Mistake {
  readonly message: string
  /** Characters from the start; null if the place is not known. */
  readonly at: number | null
}

const excerpt_characters = 24

/** The text around a place, to show it. */
export function excerptOf(text: string, at: number): readonly [before: string, wrong: string, after: string] {
  const start = Math.max(0, at - excerpt_characters)
  const word = /^[\p{L}\p{N}_:.'"]+/u.exec(text.slice(at))?.[0] ?? text.slice(at, at + 1)
  const end = at + word.length
  const before = `${start > 0 ? '…' : ''}${text.slice(start, at)}`
  const after = text.slice(end, end + excerpt_characters)
  return [before, word, end + excerpt_characters < text.length ? `${after}…` : after]
}

/** The mistake that the platform found in a filter, with its place in the text that the filter was made from. */
export function locateProblem(error: unknown, filter: Cql2Json, text: string): Mistake | null {
  if (!(error instanceof ApiProblem)) return null
  const errors = error.document['errors']
  const [first] = (Array.isArray(errors) ? errors : []) as { readonly path?: string; readonly message?: string }[]
  if (!first?.path?.startsWith('filter') || first.message === undefined) return null
  return { message: first.message, at: findValue(text, valueAt(filter, first.path.split('.').slice(1))) }
}

function valueAt(root: Cql2Json, path: readonly string[]): unknown {
  let value: unknown = root
  for (const step of path) value = (value as Readonly<Record<string, unknown>> | undefined)?.[step]
  return value
}

function findValue(text: string, value: unknown): number | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null
  return tokenize(text).find((token) => token.value === String(value))?.at ?? null
}

/** The first property of a text that is not among the known ones. */
export function findUnknownProperty(
  text: string,
  condition: Cql2Json,
  known: ReadonlySet<string>,
): (Mistake & { readonly name: string }) | null {
  const name = listProperties(condition).find((property) => !known.has(property))
  return name === undefined ? null : { name, message: name, at: findValue(text, name) }
}

function listProperties(value: Cql2Json): string[] {
  if (typeof value !== 'object' || value === null) return []
  const { property } = value as { readonly property?: unknown }
  if (typeof property === 'string') return [property]
  return Object.values(value).flatMap(listProperties)
}
