import { Download } from 'lucide-react'
import { useState, type MouseEvent } from 'react'
import type { Client } from '@swath/client'
import { formatBytes } from '../ui/format.ts'
import { shareTexts as texts } from '../texts/share.ts'
import { FailureText } from './failure-text.tsx'
import { explainFailure } from './link-failure.ts'
import type { SharedItem } from '@swath/client/operations.ts'
import { issueDownload, type Visit } from './open-link.ts'
import styles from './share.module.css'
import type { FailureNote } from './use-shared-link.ts'
import layout from '../ui/layout.module.css'
import typography from '../ui/typography.module.css'

export interface SharedFilesProps {
  readonly client: Client
  readonly visit: Visit
  readonly item: SharedItem
  readonly files: SharedItem['assets']
}

/** The files of an item. Their links work outside of the page, too, as long as the visit lasts. */
export function SharedFiles({ client, visit, item, files }: SharedFilesProps) {
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
