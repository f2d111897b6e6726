import { isPlainObject } from '../../../engine/input/schema-transform.ts'

/** The members of a qualified value (OGC 18-062r2, `qualifiedInputValue.yaml`). */
const qualifiedMembers: ReadonlySet<string> = new Set(['value', 'mediaType', 'encoding', 'schema'])

const isQualified = (value: unknown): value is { readonly value: unknown } =>
  isPlainObject(value) && 'value' in value && Object.keys(value).every((name) => qualifiedMembers.has(name))

const unwrap = (value: unknown): unknown => (isQualified(value) ? value.value : value)

/**
 * The inputs of a request by their names: a value, or a qualified one, which is the only form that the standard has for an object. Of
 * several values each may be qualified.
 */
export function readProcessInputValues(body: unknown): unknown {
  const inputs = (body as { readonly inputs?: unknown }).inputs ?? {}
  if (!isPlainObject(inputs)) return inputs
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => {
      const plain = unwrap(value)
      return [name, Array.isArray(plain) ? plain.map(unwrap) : plain]
    }),
  )
}
