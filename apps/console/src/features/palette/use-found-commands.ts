import type { InputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { useSettled } from '../../api/use-settled.ts'
import { useMapHolder } from '../../map/map-context.tsx'
import { formatView } from '../../map/map-view.ts'
import { describePlace, flyToPlace, viewOfBounds, viewOfPlace } from '../../map/places.ts'
import type { GoTo } from '../../map/use-go-to.ts'
import { useFoundIds, type FoundId } from '../explore/use-found-ids.ts'
import type { CommandGroup, PaletteCommand } from './match-commands.ts'

const max_found = 5
/** Shorter texts are in too many names. */
const min_characters = 2

/** Items whose name has the text in it, the newest first. */
const toItemSearch = (text: string): InputOf<'stac.search'> => ({
  limit: max_found,
  sortby: [{ field: 'datetime', direction: 'desc' }],
  filter: {
    op: 'like',
    args: [
      { op: 'casei', args: [{ property: 'title' }] },
      { op: 'casei', args: [`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`] },
    ],
  },
})

/** Places of the world of this name, and positions. */
function usePlaceCommands(query: string, enabled: boolean): readonly PaletteCommand[] {
  const { createdMap: map } = useMapHolder()
  const { data } = useOperation(
    'catalog.places.search',
    { query, limit: max_found },
    { enabled: enabled && map !== null },
  )
  return (data?.places ?? []).map((place) => ({
    id: `place ${place.kind} ${place.name} ${place.lon} ${place.lat}`,
    group: 'map',
    label: place.name,
    detail: describePlace(place),
    // It may be called differently in another language.
    isFound: true,
    run: () => {
      if (map) flyToPlace(map, viewOfPlace(map, place))
    },
  }))
}

const groupOfKind: Readonly<Record<FoundId['kind'], CommandGroup>> = { order: 'orders', item: 'items', scene: 'map' }

/** The order, item and scenes whose id was typed. */
function useIdCommands(text: string, enabled: boolean, goTo: GoTo): readonly PaletteCommand[] {
  const { createdMap: map } = useMapHolder()
  return useFoundIds(text, enabled).map(({ kind, key, name, detail, path, search, bounds }) => ({
    id: key,
    group: groupOfKind[kind],
    label: name,
    detail,
    isFound: true,
    run: () => {
      const view = map && bounds && viewOfBounds(map, bounds)
      goTo(path, { ...search, ...(view ? { v: formatView(view) } : {}) })
    },
  }))
}

/** Orders, items and projects with the text in their name, those with it as their id, and places of that name. */
export function useFoundCommands(text: string, goTo: GoTo): readonly PaletteCommand[] {
  const words = useSettled(text.trim())
  const options = { enabled: words.length >= min_characters }
  const orders = useOperation('orders.list', { displayName: words, size: max_found }, options)
  const items = useOperation('stac.search', toItemSearch(words), options)
  const projects = useOperation('projects.list', {}, options)
  const onMap = usePlaceCommands(words, options.enabled)
  const byId = useIdCommands(words, options.enabled, goTo)
  if (!options.enabled) return []
  return [
    ...byId,
    ...(orders.data?.content ?? []).map(({ id, displayName, status }): PaletteCommand => ({
      id: `order ${id}`,
      group: 'orders',
      label: displayName || id,
      detail: status.toLowerCase(),
      run: () => goTo(`/orders/${id}`),
    })),
    ...(items.data?.features ?? []).map(({ id, properties }): PaletteCommand => {
      const { title, datetime } = properties as { readonly title?: string; readonly datetime?: string | null }
      return {
        id: `item ${id}`,
        group: 'items',
        label: title ?? id,
        ...(datetime ? { detail: datetime.slice(0, 10) } : {}),
        run: () => goTo(`/library/items/${id}`),
      }
    }),
    ...(projects.data?.projects ?? []).map(({ id, name }): PaletteCommand => ({
      id: `project ${id}`,
      group: 'projects',
      label: name,
      run: () => goTo('/library', { project: id }),
    })),
    ...onMap,
  ]
}
