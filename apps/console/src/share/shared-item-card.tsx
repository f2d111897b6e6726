import { MapPin } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { Client } from '@swath/client'
import { formatDate, formatPercent } from '../ui/format.ts'
import { shareTexts as texts } from '../texts/share.ts'
import type { SharedItem } from '@swath/client/operations.ts'
import type { Visit } from './open-link.ts'
import { SharedFiles } from './shared-files.tsx'
import styles from './share.module.css'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

export interface SharedItemCardProps {
  readonly client: Client
  readonly visit: Visit
  readonly item: SharedItem
  readonly isSelected: boolean
  readonly isHovered: boolean
  readonly onHover: (id: string | null) => void
  /** Null shows all items again. */
  readonly onSelect: (id: string | null) => void
}

/** An item with its facts and files; its name shows it on the map. */
export function SharedItemCard({ client, visit, item, isSelected, isHovered, onHover, onSelect }: SharedItemCardProps) {
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isSelected) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isSelected])
  const acquired_at = item.datetime ?? item.start_datetime
  const facts = [
    acquired_at && [texts.acquired, formatDate(acquired_at)],
    item.cloud_cover !== null && [texts.cloudCover, formatPercent(item.cloud_cover)],
    item.gsd !== null && [texts.resolution, texts.metres(String(item.gsd))],
  ].filter((fact) => Array.isArray(fact))
  const files = item.assets.filter(({ ready }) => ready)
  return (
    <li
      ref={element}
      className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']} ${layout['choice']}`}
      data-hovered={isHovered || isSelected}
      onMouseEnter={() => onHover(item.id)}
      onMouseLeave={() => onHover(null)}
    >
      {item.geometry ? (
        <button
          type="button"
          className={`${layout['split']} ${styles['name']}`}
          aria-pressed={isSelected}
          aria-label={texts.zoom(item.name)}
          onFocus={() => onHover(item.id)}
          onBlur={() => onHover(null)}
          onClick={() => onSelect(isSelected ? null : item.id)}
        >
          <span>{item.name}</span>
          <MapPin size={16} aria-hidden />
        </button>
      ) : (
        <p className={`${layout['split']} ${styles['name']}`}>{item.name}</p>
      )}
      {item.description && <p>{item.description}</p>}
      {facts.length > 0 && (
        <dl className={`${layout['facts']} ${typography['small']}`}>
          {facts.map(([name, value]) => (
            <div className={layout['chips']} key={name}>
              <dt>{name}</dt>
              <dd className="figures">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {item.attribution && <p className={typography['note']}>{item.attribution}</p>}
      {files.length > 0 && <SharedFiles client={client} visit={visit} item={item} files={files} />}
    </li>
  )
}
