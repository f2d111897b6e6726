import { Clock3, Shapes } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { keepView } from '../../../map/keep-view.ts'
import { exploreTexts } from '../../../texts/explore.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { formatDate, formatPercent } from '../../../ui/format.ts'
import { Image } from '../../../ui/image.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { startItemDrag } from './drag-items.ts'
import type { ListItem } from './found-item.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const picture_px = 56

export interface ItemRowProps {
  readonly item: ListItem
  readonly isHovered: boolean
  /** When it is deleted, if that is soon. */
  readonly expires_at: string | null
  /** The items that are dragged together with this one. */
  readonly selected: ReadonlySet<string>
  readonly onHover: (id: string | null) => void
  readonly onToggle: (id: string) => void
}

/** The place of a row in the page, to scroll to it from the map. */
export const rowId = (item_id: string): string => `item-${item_id}`

export function ItemRow({ item, isHovered, expires_at, selected, onHover, onToggle }: ItemRowProps) {
  const { id, title, name, hasPicture, at, cloud, gsd } = item
  const facts = [
    at ? formatDate(at) : libraryTexts.unknownTime,
    cloud !== null && libraryTexts.cloud(formatPercent(cloud)),
    gsd !== null && exploreTexts.gsd(gsd),
  ].filter(Boolean)
  return (
    <li
      className={`${layout['flat']} ${layout['lineBelow']} ${layout['middle']} ${layout['stack8']} ${layout['choice']}`}
      id={rowId(id)}
      data-hovered={isHovered}
      draggable
      onDragStart={(event) => startItemDrag(event, selected.has(id) ? [...selected] : [id])}
      onPointerEnter={() => onHover(id)}
      onPointerLeave={() => onHover(null)}
    >
      <input
        type="checkbox"
        checked={selected.has(id)}
        aria-label={libraryTexts.select(title)}
        onChange={() => onToggle(id)}
      />
      <Link
        className={`${layout['pictureAndFacts']} ${layout['middle']} ${typography['plain']}`}
        to="/library/items/$itemId"
        params={{ itemId: id }}
        search={keepView}
        draggable={false}
        onFocus={() => onHover(id)}
        onBlur={() => onHover(null)}
      >
        {hasPicture ? (
          <Image path={previewPath(id, 2 * picture_px)} alt="" width={picture_px} height={picture_px} />
        ) : (
          <span className={`${layout['tile']} ${layout['center']} ${layout['sunken']} ${typography['muted']}`}>
            <Shapes size={24} aria-hidden />
          </span>
        )}
        <span className={layout['grid']}>
          <strong className={`${typography['clip']} ${typography['medium']}`}>{title}</strong>
          <small className={`${typography['clip']} figures`}>{facts.join(' · ')}</small>
          {name !== title && <small className={typography['clip']}>{name}</small>}
          {expires_at && (
            <small className={`${layout['chips']} ${typography['warning']} ${typography['clip']}`}>
              <Clock3 size={12} aria-hidden /> {libraryTexts.keptUntil(formatDate(expires_at))}
            </small>
          )}
        </span>
      </Link>
    </li>
  )
}
