import { Link } from '@tanstack/react-router'
import { texts } from '../../texts.ts'
import { formatDate } from '../../ui/format.ts'
import { Image } from '../../ui/image.tsx'
import { previewPath } from '../../ui/preview-path.ts'
import type { LibraryItem } from './library-search.ts'

export interface ItemRowProps {
  readonly item: LibraryItem
  readonly isHovered: boolean
  readonly isSelected: boolean
  readonly onHover: (id: string | null) => void
  readonly onToggle: (id: string) => void
}

export const titleOf = ({ name, properties }: LibraryItem): string =>
  typeof properties['place'] === 'string' ? properties['place'] : name

export function ItemRow({ item, isHovered, isSelected, onHover, onToggle }: ItemRowProps) {
  const { id, type, datetime, created_at } = item
  return (
    <li data-hovered={isHovered} onPointerEnter={() => onHover(id)} onPointerLeave={() => onHover(null)}>
      <input
        type="checkbox"
        checked={isSelected}
        aria-label={texts.library.select(titleOf(item))}
        onChange={() => onToggle(id)}
      />
      <Link to="/library/items/$itemId" params={{ itemId: id }} search={({ v }: { v?: string }) => (v ? { v } : {})}>
        <Image path={previewPath(id, 128)} alt="" width={56} height={56} />
        <span>
          <strong>{titleOf(item)}</strong>
          <small>{[texts.library.types[type], formatDate(datetime ?? created_at)].join(' · ')}</small>
          <small>{item.name}</small>
        </span>
      </Link>
    </li>
  )
}
