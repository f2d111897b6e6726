/** The `fields` parameter of the fields extension. */
export interface FieldsSelection {
  readonly include?: readonly string[] | null
  readonly exclude?: readonly string[] | null
}

type JsonObject = Readonly<Record<string, unknown>>

/** The default members: those that a valid item must have, and its place and time. */
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

/** The members that no selection removes: without them no client reads the item, or finds it again. */
const identifyingMembers = ['type', 'stac_version', 'id', 'collection']

const timeProperties = ['datetime', 'start_datetime', 'end_datetime']

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

const pickMembers = (members: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(members, name)).map((name) => [name, members[name]]))

/** The assets that still have a URL. */
const withHref = (assets: unknown): JsonObject =>
  isObject(assets)
    ? Object.fromEntries(Object.entries(assets).filter(([, asset]) => isObject(asset) && Object.hasOwn(asset, 'href')))
    : {}

/**
 * A selection of an item, completed to a valid item: what it must have and the selection lacks is empty (null geometry, no links
 * but that to its collection, no assets), and its identity and times stay. A bbox belongs to a geometry: they come and go together.
 */
function toValidItem(item: JsonObject, selected: JsonObject): JsonObject {
  const { bbox: _, ...rest } = selected
  const geometry = selected['geometry'] === item['geometry'] ? (item['geometry'] ?? null) : null
  const { properties = {}, links } = item as { properties?: JsonObject; links: readonly { readonly rel: string }[] }
  return {
    ...rest,
    ...pickMembers(item, identifyingMembers),
    geometry,
    ...(geometry === null ? {} : pickMembers(item, ['bbox'])),
    properties: { ...pickMembers(properties, timeProperties), ...(selected['properties'] as JsonObject | undefined) },
    // An item with a collection has a link to it.
    links: selected['links'] === links ? links : links.filter(({ rel }) => rel === 'collection'),
    assets: withHref(selected['assets']),
  }
}

function selectMembers(item: JsonObject, { include, exclude }: FieldsSelection): JsonObject {
  const excludedPaths = exclude ?? []
  if (include === undefined && excludedPaths.length > 0) return excludeMembers(item, excludedPaths)
  const included = include ?? []
  return excludeMembers(
    includeMembers(item, [...defaultMembers, ...included]),
    excludedPaths.filter((name) => !included.some((includedPath) => containsPath(name, includedPath))),
  )
}

/**
 * A valid item with the selected members. `include` adds to the default members, as the fields extension says; `exclude` alone
 * removes members from the whole item, and with `include` from the selection; a member in both is included.
 */
export const selectItemFields = (item: JsonObject, fields: FieldsSelection): JsonObject =>
  toValidItem(item, selectMembers(item, fields))
