import { CircleCheck, CirclePause, CircleX, Clock3, LoaderCircle, X, type LucideIcon } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import type { OutputOf } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Time } from '../../../ui/figures.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import styles from './uploads.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

type Upload = OutputOf<'uploads.list'>['uploads'][number]

const words = libraryTexts.upload_
const looks: Readonly<Record<Upload['status'], readonly [LucideIcon, Tone]>> = {
  initiated: [CirclePause, 'neutral'],
  uploading: [CirclePause, 'warning'],
  uploaded: [LoaderCircle, 'active'],
  ingesting: [LoaderCircle, 'active'],
  completed: [CircleCheck, 'good'],
  failed: [CircleX, 'bad'],
  cancelled: [CircleX, 'neutral'],
  expired: [Clock3, 'neutral'],
}
const openStates: ReadonlySet<Upload['status']> = new Set(['initiated', 'uploading'])
/** Sessions whose files are not in the list, and matter. */
const detailedStates: ReadonlySet<Upload['status']> = new Set(['failed', 'initiated', 'uploading', 'completed'])

/** More are folded. */
const max_open_notes = 3

/** An upload of this or another person, with the reason if it failed. */
export function SessionRow({ upload }: { upload: Upload }) {
  const { id, status, total_bytes, bytes_uploaded, created_at, error_message, item_ids, file_count } = upload
  const input = { upload_id: id }
  // Lists leave the files out.
  const detail = useOperation('uploads.get', input, { enabled: detailedStates.has(status) })
  const cancel = useCommand('uploads.cancel', ['uploads.list', 'uploads.get'])
  const [icon, tone] = looks[status]
  const files = detail.data?.upload.files ?? []
  const name = files[0]?.file_name ?? words.files(file_count)
  const reasons = new Set([
    ...files.map(({ reason }) => reason),
    files.some(({ reason }) => reason) ? null : error_message,
  ])
  const notes = new Set(files.flatMap((file) => file.notes))
  const received_bytes = files.flatMap(({ parts }) => parts).reduce((sum, { size_bytes }) => sum + size_bytes, 0)
  return (
    <li className={layout['facts']}>
      <span className={`${layout['fill']} ${typography['medium']} ${typography['anywhere']} ${styles['name']}`}>
        {name}
      </span>
      <Badge icon={icon} tone={tone}>
        {words.states[status]}
      </Badge>
      <small className={`${layout['rest']} figures`}>
        {formatBytes(total_bytes)} · <Time at={created_at} />
      </small>
      {item_ids.length === 1 && (
        <Link to="/library/items/$itemId" params={{ itemId: item_ids[0]! }} search={keepView}>
          {words.openItem}
        </Link>
      )}
      {item_ids.length > 0 && (
        <Link to="/view" search={({ v }: { v?: string }) => ({ ...(v ? { v } : {}), items: item_ids.join(',') })}>
          {words.view}
        </Link>
      )}
      {openStates.has(status) && (
        <>
          <p className={`${typography['note']} ${layout['rest']}`}>
            {words.sent(formatBytes(Math.max(bytes_uploaded, received_bytes)), formatBytes(total_bytes))}.{' '}
            {words.resume}
          </p>
          <Button
            kind="quiet"
            icon={X}
            aria-label={words.cancelName(name)}
            isPending={cancel.isPending}
            onClick={() => cancel.mutate(input)}
          >
            {words.cancel}
          </Button>
          <CopyCall operation="uploads.cancel" input={input} />
        </>
      )}
      {[...reasons].map(
        (reason) =>
          reason && (
            <p className={`${layout['rest']} ${typography['small']} ${typography['bad']}`} key={reason}>
              {reason}
            </p>
          ),
      )}
      {notes.size > 0 && (
        <details className={layout['rest']} open={status === 'completed' && notes.size <= max_open_notes}>
          <summary className={`${layout['fit']} ${typography['small']}`}>{words.notes(notes.size)}</summary>
          <ul className={typography['small']}>
            {[...notes].map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </details>
      )}
      {cancel.isError && <ProblemNote error={cancel.error} />}
    </li>
  )
}
