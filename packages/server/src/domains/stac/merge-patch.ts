type Members = Record<string, unknown>

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects are merged, other values are replaced. */
export function mergePatch(target: object, patch: Readonly<Members>): Members {
  const merged = new Map<string, unknown>(Object.entries(target))
  for (const [name, value] of Object.entries(patch)) {
    const before = merged.get(name)
    if (value === null) merged.delete(name)
    else merged.set(name, isMembers(value) ? mergePatch(isMembers(before) ? before : {}, value) : value)
  }
  return Object.fromEntries(merged)
}
