import { useOperation } from '../../../api/use-operation.ts'
import { texts } from '../../../texts.ts'
import { CheckboxField } from '../../../ui/field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { max_items } from '../state/viewer-state.ts'
import { toViewItem, type ViewItem } from '../state/view-item.ts'
import type { Viewer } from '../use-viewer.ts'
import styles from '../viewer.module.css'
import typography from '../../../ui/typography.module.css'
import layout from '../../../ui/layout.module.css'

/** Items of the library that cover the same place, to be added or taken out. */
export function ItemsHere({ viewer, item }: { viewer: Viewer; item: ViewItem }) {
  const found = useOperation(
    'items.search_org',
    { bbox: [...(item.bbox ?? [-180, -90, 180, 90])], limit: max_items, format: 'stac' },
    { enabled: item.bbox !== null },
  )
  const { items } = viewer.state
  const toggle = (id: string, isWanted: boolean): void => {
    const next = isWanted ? [...items, id] : items.filter((other) => other !== id)
    if (next.length > 0) viewer.change({ items: next })
  }
  return (
    <QueryView query={found} rows={2}>
      {({ features, numberMatched }) => {
        const candidates = features.flatMap((feature) => ('assets' in feature ? [toViewItem(feature)] : []))
        const drawable = candidates.filter(({ assets }) => assets.length > 0)
        if (drawable.length < 2) return <p className={typography['note']}>{texts.viewer.noItemsHere}</p>
        return (
          <div
            className={`${layout['stack4']} ${layout['box']} ${styles['here']}`}
            role="group"
            aria-label={texts.viewer.addItems}
          >
            {drawable.map(({ id, name, datetime }) => (
              <CheckboxField
                key={id}
                label={[datetime && formatDate(datetime), name].filter(Boolean).join(' · ')}
                checked={items.includes(id)}
                onChange={(isWanted) => toggle(id, isWanted)}
              />
            ))}
            {numberMatched > candidates.length && (
              <small className={typography['note']}>
                {texts.viewer.manyItemsHere(candidates.length, numberMatched)}
              </small>
            )}
          </div>
        )
      }}
    </QueryView>
  )
}
