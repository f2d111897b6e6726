type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, other values are replaced. */
export function applyMergePatch(target: object, patch: Readonly<JsonObject>): JsonObject {
  const merged = new Map<string, unknown>(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? applyMergePatch(isObject(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}
