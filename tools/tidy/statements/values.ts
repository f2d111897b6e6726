import type { AnyNode, Program, TaggedTemplateExpression } from 'acorn'
import type { FunctionNode } from './syntax.ts'

/** A parsed file. */
export interface SourceFile {
  readonly path: string
  readonly text: string
  readonly program: Program
  /** The types of SQL in this file: `Sql`, and interfaces with a member of it. */
  readonly sqlTypes: readonly string[]
}

/** The names that an expression sees. */
export interface LexicalScope {
  readonly parent: LexicalScope | null
  readonly names: Map<string, Lazy>
  readonly file: SourceFile
  /** The functions that are being evaluated, outermost first, so that recursion ends. */
  readonly calls: readonly FunctionNode[]
}

/** A value that is computed when it is first needed. */
export type Lazy = () => Value

/**
 * What is known of an expression without running it, as far as it decides on the text of a statement. A condition that
 * is not known makes a `choice` of its outcomes.
 */
export type Value =
  /** Not known; the name is that of the parameter or member that it came from. */
  | { readonly kind: 'unknown'; readonly name: string | null }
  /** Null or undefined. */
  | { readonly kind: 'absent' }
  | { readonly kind: 'text'; readonly text: string }
  /** A `sql` template: its texts, with a part between each two. `template` is null for SQL that no template wrote. */
  | {
      readonly kind: 'sql'
      readonly template: TaggedTemplateExpression | null
      readonly texts: readonly string[]
      readonly parts: readonly Lazy[]
    }
  /** `sql.join(list, separator)`. */
  | { readonly kind: 'joined'; readonly list: Value; readonly separator: Value }
  /** `sql.identifier(name, …)`. */
  | { readonly kind: 'identifier'; readonly name: Value }
  | { readonly kind: 'list'; readonly items: readonly Value[] }
  /** An item of a list that stands for the items of another list. */
  | { readonly kind: 'spread'; readonly list: Value }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Lazy> }
  | FunctionValue
  /** One of several; `site` is the place of the decision, `decision` one evaluation of it. */
  | { readonly kind: 'choice'; readonly site: AnyNode; readonly decision: object; readonly options: readonly Lazy[] }

export interface FunctionValue {
  readonly kind: 'function'
  readonly node: FunctionNode
  readonly scope: LexicalScope
}

export const unknownValue: Value = { kind: 'unknown', name: null }
export const absentValue: Value = { kind: 'absent' }

/** SQL without parts. */
export const plainSql = (text: string): Value => ({ kind: 'sql', template: null, texts: [text], parts: [] })

/** Computes at most once. */
export function lazy(compute: () => Value): Lazy {
  let computed: Value | null = null
  return () => (computed ??= compute())
}

/** One of several values; a single option is no choice. */
export function chooseFrom(site: AnyNode, options: readonly Lazy[]): Value {
  if (options.length === 1) return options[0]!()
  return options.length === 0 ? absentValue : { kind: 'choice', site, decision: {}, options }
}

/** Applies a function to a value, or to each option of a choice, which stays the same decision. */
export const mapOptions = (value: Value, map: (value: Value) => Value): Value =>
  value.kind === 'choice'
    ? { ...value, options: value.options.map((option) => lazy(() => mapOptions(option(), map))) }
    : map(value)

/** A member of an object by name, or an item of a list by index. */
export const readMember = (value: Value, name: string): Value =>
  mapOptions(value, (known) => {
    if (known.kind === 'object') return known.members.get(name)?.() ?? absentValue
    if (known.kind === 'list') return readItem(known.items, Number(name))
    return { kind: 'unknown', name }
  })

function readItem(items: readonly Value[], index: number): Value {
  const item = items[index]
  // Behind a spread list the index of an item is not known.
  const isCounted = items.slice(0, index + 1).every(({ kind }) => kind !== 'spread')
  return item !== undefined && isCounted ? item : unknownValue
}

/** Any member of an object, or any item of a list: which one is not known. */
export const readAnyMember = (value: Value, site: AnyNode): Value =>
  mapOptions(value, (known) => {
    if (known.kind === 'object') return chooseFrom(site, [...known.members.values()])
    if (known.kind === 'list')
      return chooseFrom(
        site,
        known.items.map((item) => () => (item.kind === 'spread' ? readAnyMember(item.list, site) : item)),
      )
    return known.kind === 'unknown' ? known : unknownValue
  })

/** The list with a function applied to every item; a list that is not known has one unknown item. */
export const mapItems = (value: Value, map: (item: Value) => Value): Value =>
  mapOptions(value, (known) =>
    known.kind === 'list'
      ? {
          kind: 'list',
          items: known.items.map((item) =>
            item.kind === 'spread' ? { kind: 'spread', list: mapItems(item.list, map) } : map(item),
          ),
        }
      : { kind: 'list', items: [map(unknownValue)] },
  )
