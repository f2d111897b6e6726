import { geometryBounds } from '@swath/geo/bbox.ts'
import { isUuid } from '../../api/is-uuid.ts'
import { nameItem } from '../../api/name-item.ts'
import { useOperation } from '../../api/use-operation.ts'
import { exploreTexts } from '../../texts/explore.ts'
import { footprintOf, hostOf, sceneKey, timeOf, type Scene } from './scenes.ts'

/** An order, item or scene whose id was typed. */
export interface FoundId {
  readonly kind: 'order' | 'item' | 'scene'
  /** Unique among the results. */
  readonly key: string
  readonly name: string
  readonly detail: string
  readonly path: string
  readonly search: Readonly<Record<string, string>>
  /** Bounds of the footprint, if the result is a scene with one. */
  readonly bounds: readonly [number, number, number, number] | null
}

const max_scenes = 5
const min_length = 8

/** Ids of hosts and of the platform have letters and digits and no space; shorter texts are names. */
const looksLikeId = (text: string): boolean => text.length >= min_length && /^(?=.*[a-z])(?=.*\d)[^\s°'"]+$/i.test(text)

const dayOf = (time: unknown): string => (typeof time === 'string' ? time.slice(0, 10) : '')

const toScene = (scene: Scene): FoundId => {
  const footprint = footprintOf(scene)
  return {
    kind: 'scene',
    key: `scene ${sceneKey(scene)}`,
    name: scene.id,
    detail: exploreTexts.foundScene(hostOf(scene), dayOf(timeOf(scene))),
    path: '/explore',
    search: { scene: sceneKey(scene) },
    bounds: footprint && geometryBounds(footprint),
  }
}

/** The orders and items of the organization and the scenes of the catalogues that have this id. */
export function useFoundIds(text: string, isWanted: boolean): readonly FoundId[] {
  const enabled = isWanted && looksLikeId(text)
  const order = useOperation('orders.get', { order_id: text }, { enabled: enabled && isUuid(text) })
  const items = useOperation('stac.search', { ids: [text], limit: 1 }, { enabled })
  const scenes = useOperation('catalog.federated_search', { ids: [text], limit: max_scenes }, { enabled })
  if (!enabled) return []
  return [
    ...(order.data && !order.isError ? [order.data] : []).map(({ id, displayName, status }): FoundId => ({
      kind: 'order',
      key: `order ${id}`,
      name: displayName || id,
      detail: exploreTexts.foundOrder(status.toLowerCase()),
      path: `/orders/${id}`,
      search: {},
      bounds: null,
    })),
    ...(items.data?.features ?? []).map(({ id, properties }): FoundId => ({
      kind: 'item',
      key: `item ${id}`,
      name: nameItem(properties) ?? id,
      detail: exploreTexts.foundItem(dayOf(properties['datetime'])),
      path: `/library/items/${id}`,
      search: {},
      bounds: null,
    })),
    ...(scenes.data?.features ?? []).map(toScene),
  ]
}
