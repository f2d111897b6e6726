import { useOperation } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { Button } from '../../../ui/button.tsx'
import { max_items, type Position } from '../state/viewer-state.ts'
import { toViewItem } from '../state/view-item.ts'
import type { TabProps } from '../tab-props.ts'
import typography from '../../../ui/typography.module.css'

/** So much of the surroundings of a point is searched: about a metre. */
const reach_degrees = 0.00001

interface AddCoveringProps {
  readonly viewer: TabProps['viewer']
  /** The point, or the corners of the area. */
  readonly path: readonly Position[]
}

/** Takes the other items of the library at a place into the viewer. */
export function AddCovering({ viewer, path }: AddCoveringProps) {
  const [lons, lats] = [path.map(([lon]) => lon), path.map(([, lat]) => lat)]
  const bbox = [
    Math.min(...lons) - reach_degrees,
    Math.min(...lats) - reach_degrees,
    Math.max(...lons) + reach_degrees,
    Math.max(...lats) + reach_degrees,
  ]
  const found = useOperation('items.search_org', { bbox, limit: max_items, format: 'stac' })
  const { items } = viewer.state
  const others = (found.data?.features ?? [])
    .flatMap((feature) => ('assets' in feature ? [toViewItem(feature)] : []))
    .filter(({ id, assets }) => assets.length > 0 && !items.includes(id))
  if (!found.data) return null
  if (others.length === 0) return <small className={typography['note']}>{viewerTexts.noCovering}</small>
  return (
    <Button onClick={() => viewer.change({ items: [...items, ...others.map(({ id }) => id)].slice(0, max_items) })}>
      {viewerTexts.addCovering(others.length)}
    </Button>
  )
}
