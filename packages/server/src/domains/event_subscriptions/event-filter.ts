import { eventDefinitions, type EventType } from '@swath/contract/events.ts'
import type { FieldError } from '../../engine/problem.ts'

/** `entity_type` or a dotted path of the data, and the expected value or values. */
export type EventFilterConfig = Readonly<Record<string, unknown>>

const max_conditions = 20
const max_values = 50
const max_value_length = 500
const dotted_path = /^(data\.)?[A-Za-z_][\w-]*(\.[A-Za-z_][\w-]*)*$/
const prototype_keys: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** Returns the errors in the filter of a subscription: paths must exist in the data of the event type. */
export function findEventFilterErrors(type: EventType, filter: EventFilterConfig): FieldError[] {
  const entries = Object.entries(filter)
  if (entries.length > max_conditions)
    return [{ path: 'filter_config', message: `must have at most ${max_conditions} conditions` }]
  return entries.flatMap(([path, expected]) => {
    const field = `filter_config.${path.slice(0, 100)}`
    const message = pathError(type, path) ?? valueError(expected)
    return message === null ? [] : [{ path: field, message }]
  })
}

function pathError(type: EventType, path: string): string | null {
  if (path === 'entity_type') return null
  const names = path.replace(/^data\./, '').split('.')
  if (path.length > 200 || !dotted_path.test(path) || names.some((name) => prototype_keys.has(name)))
    return 'must be `entity_type` or a dotted path of the data, without wildcards'
  let schema: unknown = eventDefinitions[type].data
  for (const name of names) {
    const { properties } = schema as { properties?: Readonly<Record<string, unknown>> }
    if (!properties || !Object.hasOwn(properties, name)) return `is not a member of the data of ${type}`
    schema = properties[name]
  }
  return null
}

const isScalar = (value: unknown): boolean =>
  value === null ||
  typeof value === 'boolean' ||
  (typeof value === 'number' && Number.isFinite(value)) ||
  (typeof value === 'string' && value.length <= max_value_length)

function valueError(expected: unknown): string | null {
  const values: readonly unknown[] = Array.isArray(expected) ? expected : [expected]
  if (values.length === 0 || values.length > max_values) return `must have from 1 to ${max_values} values`
  return values.every(isScalar) ? null : 'must be a text, a number, true, false or null, or a list of them'
}
