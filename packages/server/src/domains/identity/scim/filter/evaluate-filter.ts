import { resolveAttribute, readValues, type ResolvedAttribute } from '../attribute-paths.ts'
import { findAttribute, type ScimAttribute, type ScimResource, type ScimResourceType } from '../schema.ts'
import { invalidFilter } from '../scim-problem.ts'
import type { FilterOperator, ScimFilter } from './parse-filter.ts'

type Comparison = Extract<ScimFilter, { kind: 'compare' }>

/** What a filter is about: reads the attribute of a path, with how its values compare; null for a path that names none. */
interface FilterSubject {
  read(path: string): FoundAttribute | null
  /** The values of an attribute of several, each as a whole, with what they are. */
  readEach(path: string): { readonly values: readonly unknown[]; readonly attribute: ScimAttribute } | null
}

interface FoundAttribute {
  readonly values: readonly unknown[]
  readonly definition: ScimAttribute
}

/** True if a resource matches a filter. Throws `invalidFilter` for a comparison that its attribute does not have. */
export const matchesFilter = (type: ScimResourceType, resource: ScimResource, filter: ScimFilter): boolean =>
  evaluate(filter, {
    read: (path) => readAttribute(type, resource, path),
    readEach: (path) => readEach(type, resource, path),
  })

/** True if one value of an attribute with several matches the filter in the brackets of a path. */
export const matchesValueFilter = (attribute: ScimAttribute, value: unknown, filter: ScimFilter): boolean =>
  evaluate(filter, { read: (path) => readSubAttribute(attribute, value, path), readEach: () => null })

function readAttribute(type: ScimResourceType, resource: ScimResource, path: string): FoundAttribute | null {
  const resolved = resolveAttribute(type, path)
  if (!resolved?.attribute) return null
  const target = toComparable(resolved)
  return { values: readValues(resource, target), definition: target.sub ?? target.attribute! }
}

/** A comparison with several values is one with the member `value` of each (RFC 7644 3.4.2.2). */
function toComparable(resolved: ResolvedAttribute): ResolvedAttribute {
  const { attribute, sub } = resolved
  if (sub !== null || attribute?.type !== 'complex') return resolved
  return { ...resolved, sub: findAttribute(attribute.subAttributes, 'value') ?? null }
}

function readSubAttribute(attribute: ScimAttribute, value: unknown, path: string): FoundAttribute | null {
  const definition = findAttribute(attribute.subAttributes, path)
  if (!definition || typeof value !== 'object' || value === null) return null
  const found = (value as ScimResource)[definition.name]
  return { values: found === undefined || found === null ? [] : [found], definition }
}

function evaluate(filter: ScimFilter, subject: FilterSubject): boolean {
  switch (filter.kind) {
    case 'and':
      return evaluate(filter.left, subject) && evaluate(filter.right, subject)
    case 'or':
      return evaluate(filter.left, subject) || evaluate(filter.right, subject)
    case 'not':
      return !evaluate(filter.filter, subject)
    case 'present':
      return (subject.read(filter.path)?.values ?? []).some((value) => value !== '')
    case 'values':
      return evaluateValues(filter, subject)
    case 'compare':
      return compareAttribute(filter, subject.read(filter.path))
  }
}

/** `emails[type eq "work"]`: one value matches all of it. */
function evaluateValues({ path, filter }: Extract<ScimFilter, { kind: 'values' }>, subject: FilterSubject): boolean {
  const found = subject.readEach(path)
  return found !== null && found.values.some((value) => matchesValueFilter(found.attribute, value, filter))
}

function readEach(type: ScimResourceType, resource: ScimResource, path: string): ReturnType<FilterSubject['readEach']> {
  const resolved = resolveAttribute(type, path)
  const attribute = resolved?.attribute
  if (!resolved || !attribute || attribute.type !== 'complex' || resolved.sub !== null) return null
  return { values: readValues(resource, resolved), attribute }
}

function compareAttribute({ operator, value, path }: Comparison, found: FoundAttribute | null): boolean {
  if (found === null) return operator === 'ne' && value !== null
  const { values, definition } = found
  if (value === null) return operator === 'eq' ? values.length === 0 : operator === 'ne' && values.length > 0
  const isOrdered = operator !== 'eq' && operator !== 'ne'
  if (definition.type === 'boolean' && isOrdered) throw invalidFilter(`"${path}" is only true or false.`)
  if (operator === 'ne')
    return !values.some((one) => compare('eq', normalize(one, definition), normalize(value, definition)))
  return values.some((one) => compare(operator, normalize(one, definition), normalize(value, definition)))
}

type Comparable = string | number | boolean

function normalize(value: unknown, { type, caseExact }: ScimAttribute): Comparable | null {
  if (typeof value === 'boolean' || typeof value === 'number') return value
  if (typeof value !== 'string') return null
  if (type === 'dateTime') return Number.isNaN(Date.parse(value)) ? value : Date.parse(value)
  return caseExact ? value : value.toLowerCase()
}

const comparisons: Readonly<Record<Exclude<FilterOperator, 'ne'>, (one: Comparable, other: Comparable) => boolean>> = {
  eq: (one, other) => one === other,
  co: (one, other) => typeof one === 'string' && typeof other === 'string' && one.includes(other),
  sw: (one, other) => typeof one === 'string' && typeof other === 'string' && one.startsWith(other),
  ew: (one, other) => typeof one === 'string' && typeof other === 'string' && one.endsWith(other),
  gt: (one, other) => typeof one === typeof other && one > other,
  ge: (one, other) => typeof one === typeof other && one >= other,
  lt: (one, other) => typeof one === typeof other && one < other,
  le: (one, other) => typeof one === typeof other && one <= other,
}

const compare = (operator: Exclude<FilterOperator, 'ne'>, one: Comparable | null, other: Comparable | null): boolean =>
  one !== null && other !== null && comparisons[operator](one, other)
