import { Download, MapPin } from 'lucide-react'
import { type MouseEvent, useEffect, useRef, useState } from 'react'
import type { Client } from '@swath/client/client.ts'
import { formatBytes, formatDate, formatPercent } from '../ui/format.ts'
import { shareTexts as texts } from '../texts/share.ts'
import type { SharedItem } from '@swath/client/operations.ts'
import { type Visit, issueDownload } from './open-link.ts'
import styles from './share.module.css'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'
import { FailureText } from './failure-text.tsx'
import { explainFailure } from './link-failure.ts'
import type { FailureNote } from './use-shared-link.ts'

interface SharedFilesProps {
  readonly client: Client
  readonly visit: Visit
  readonly item: SharedItem
  readonly files: SharedItem['assets']
}

/** The files of an item. Their links work outside of the page, too, as long as the visit lasts. */
function SharedFiles({ client, visit, item, files }: SharedFilesProps) {
  const [failure, setFailure] = useState<FailureNote | null>(null)
  const download = async (event: MouseEvent, asset: string): Promise<void> => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    setFailure(null)
    try {
      // Sent as an attachment: the page stays.
      location.assign(await issueDownload(client, visit, item.id, asset))
    } catch (error) {
      const explained = explainFailure(error)
      setFailure('closed' in explained ? { text: explained.closed.text, traceId: null } : explained)
    }
  }
  return (
    <>
      <ul className={styles['files']} aria-label={texts.files(item.name)}>
        {files.map(({ id, key, title, media_type, file_size_bytes }) => (
          <li key={id}>
            <a
              className={`${layout['middle']} ${typography['plain']} ${typography['active']} ${layout['stack8']}`}
              href={`/share/download?${new URLSearchParams({ token: visit.token, item_id: item.id, asset_id: id }).toString()}`}
              rel="nofollow noreferrer"
              onClick={(event) => void download(event, id)}
            >
              <Download size={16} aria-hidden />
              <span>{title ?? key}</span>
              <small className={layout['line']}>
                {shortMediaType(media_type)}
                {file_size_bytes !== null && <span className="figures">{formatBytes(file_size_bytes)}</span>}
              </small>
            </a>
          </li>
        ))}
      </ul>
      {failure && <FailureText note={failure} />}
    </>
  )
}

/** Without parameters: `image/tiff`. */
const shortMediaType = (media_type: string): string => media_type.split(';')[0]!.trim()

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
    [texts.acquired, acquired_at ? formatDate(acquired_at) : texts.unknownTime],
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
