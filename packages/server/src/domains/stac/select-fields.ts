/** The `fields` parameter of the fields extension. */
export interface FieldsSelection {
  readonly include?: readonly string[] | null
  readonly exclude?: readonly string[] | null
}

type JsonObject = Readonly<Record<string, unknown>>

/** The default members: those of a valid item. */
const defaultMembers = [
  'type',
  'stac_version',
  'id',
  'collection',
  'geometry',
  'bbox',
  'links',
  'assets',
  'properties.datetime',
  'properties.start_datetime',
  'properties.end_datetime',
]

/** Members that are added to nested ones to identify the item. */
const identifyingMembers = ['type', 'stac_version', 'id', 'links']

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** True for the path itself and paths below it. */
const containsPath = (path: string, name: string): boolean => name === path || name.startsWith(`${path}.`)

/** The members at the paths; names may contain dots, so every split is tried. */
function includeMembers(members: JsonObject, paths: readonly string[], above = ''): JsonObject {
  const picked: [string, unknown][] = []
  for (const [name, value] of Object.entries(members)) {
    const path = above + name
    if (paths.includes(path)) picked.push([name, value])
    else if (isObject(value) && paths.some((includedPaths) => includedPaths.startsWith(`${path}.`))) {
      const inner = includeMembers(value, paths, `${path}.`)
      if (Object.keys(inner).length > 0) picked.push([name, inner])
    }
  }
  return Object.fromEntries(picked)
}

function excludeMembers(members: JsonObject, paths: readonly string[], above = ''): JsonObject {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([name]) => !paths.includes(above + name))
      .map(([name, value]) => {
        const path = above + name
        const deeper = isObject(value) && paths.some((includedPaths) => includedPaths.startsWith(`${path}.`))
        return [name, deeper ? excludeMembers(value, paths, `${path}.`) : value]
      }),
  )
}

/**
 * The selected members of an item. `exclude` alone removes members from the whole item; with an empty `include`, from the
 * default members; a member in both is included.
 */
export function selectItemFields(item: JsonObject, { include, exclude }: FieldsSelection): JsonObject {
  const excludedPaths = exclude ?? []
  if (include === undefined && excludedPaths.length > 0) return excludeMembers(item, excludedPaths)
  if (!include || include.length === 0) return excludeMembers(includeMembers(item, defaultMembers), excludedPaths)
  const hasNestedPath = include.some((name) => name.includes('.'))
  const includedPaths = hasNestedPath ? [...identifyingMembers, ...include] : include
  return excludeMembers(
    includeMembers(item, includedPaths),
    excludedPaths.filter((name) => !include.some((includedPath) => containsPath(name, includedPath))),
  )
}
