import { Link } from '@tanstack/react-router'
import { useOperation } from '../../../api/use-operation.ts'
import { viewerTexts } from '../../../texts/viewer.ts'
import { formatDate } from '../../../ui/format.ts'
import { Image } from '../../../ui/image.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import { toViewItem } from '../state/view-item.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const limit = 8
const picture = { width: 64, height: 48 }

/** The newest items that can be drawn, for a viewer without one. */
export function RecentItems() {
  const recent = useOperation('items.search_org', { limit, format: 'stac' })
  return (
    <QueryView query={recent}>
      {({ features }) => {
        const items = features.flatMap((feature) => ('assets' in feature ? [toViewItem(feature)] : []))
        const drawable = items.filter(({ assets }) => assets.length > 0)
        if (drawable.length === 0) return null
        return (
          <Section title={viewerTexts.recent}>
            <ul className={`${layout['stack8']}`}>
              {drawable.map(({ id, name, datetime, thumbnail }) => (
                <li key={id}>
                  <Link
                    className={`${layout['line']} ${layout['choice']} ${typography['plain']}`}
                    to="/view"
                    search={((previous: { v?: string }) => ({ ...previous, items: id })) as never}
                  >
                    {thumbnail && <Image path={thumbnail} alt="" {...picture} />}
                    <span className={`${layout['grid']} ${layout['narrow']}`}>
                      {name}
                      {datetime && <small>{formatDate(datetime)}</small>}
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Section>
        )
      }}
    </QueryView>
  )
}
