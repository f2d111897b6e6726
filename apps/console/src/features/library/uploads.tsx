import { CircleCheck, CircleX, Clock3, LoaderCircle, UploadCloud, type LucideIcon } from 'lucide-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SelectField } from '../../ui/field.tsx'
import { formatBytes, formatTime } from '../../ui/format.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'
import { useUploads, type RunningUpload } from '../../uploads/uploads-context.tsx'
import { libraryTabs } from './library-tabs.ts'
import styles from './library.module.css'

type Upload = OutputOf<'uploads.list'>['uploads'][number]

const looks: Readonly<Record<Upload['status'], readonly [LucideIcon, Tone]>> = {
  initiated: [Clock3, 'neutral'],
  uploading: [LoaderCircle, 'active'],
  uploaded: [LoaderCircle, 'active'],
  ingesting: [LoaderCircle, 'active'],
  completed: [CircleCheck, 'good'],
  failed: [CircleX, 'bad'],
  cancelled: [CircleX, 'neutral'],
  expired: [Clock3, 'neutral'],
}

const input = { limit: 50 }

/** Files on their way into the library, and why some did not arrive. */
export function Uploads() {
  const { running, start } = useUploads()
  const projects = useOperation('projects.list', {})
  const uploads = useOperation('uploads.list', input)
  const [project, setProject] = useState<string | null>(null)
  const [isOver, setOver] = useState(false)
  const known = projects.data?.projects ?? []
  const target = project ?? known[0]?.id
  const words = texts.library.upload_
  const send = (files: FileList | null): void => {
    if (files && target) start(target, [...files])
  }
  return (
    <Screen
      title={words.title}
      actions={<CopyCall operation="uploads.list" input={input} />}
      toolbar={<TabLinks label={texts.library.tabs} tabs={libraryTabs} />}
    >
      <div
        className={styles['drop']}
        data-over={isOver}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          send(event.dataTransfer.files)
        }}
      >
        <UploadCloud size={24} aria-hidden />
        <p>{words.drop}</p>
        <label className={styles['choose']}>
          {words.choose}
          <input type="file" multiple onChange={({ target: field }) => send(field.files)} />
        </label>
        <SelectField
          label={texts.library.project}
          value={target ?? ''}
          onChange={setProject}
          choices={known.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <ul className={styles['links']} data-inset>
        {running.map((upload) => (
          <RunningRow key={upload.id} upload={upload} />
        ))}
      </ul>
      <QueryView query={uploads} rows={3}>
        {({ uploads: list }) =>
          list.length === 0 && running.length === 0 ? (
            <EmptyState icon={UploadCloud} title={words.empty} />
          ) : (
            <ul className={styles['links']} data-inset>
              {list.map((upload) => (
                <UploadRow key={upload.id} upload={upload} />
              ))}
            </ul>
          )
        }
      </QueryView>
    </Screen>
  )
}

function RunningRow({ upload: { name, state, retry } }: { upload: RunningUpload }) {
  const words = texts.library.upload_
  if (state.step === 'failed')
    return (
      <li>
        <span>{name}</span>
        <Button onClick={retry}>{words.retry}</Button>
        <ProblemNote error={state.error} />
      </li>
    )
  const percent = state.step === 'sending' ? state.percent : state.step === 'sent' ? 100 : 0
  return (
    <li>
      <span>{name}</span>
      <small>{state.step === 'hashing' ? words.hashing : words.sending(percent)}</small>
      <progress className={styles['progress']} value={percent} max={100} aria-label={name} />
    </li>
  )
}

function UploadRow({ upload }: { upload: Upload }) {
  const [icon, tone] = looks[upload.status]
  const words = texts.library.upload_
  const reasons = upload.files.map(({ reason }) => reason).filter((reason) => reason !== null)
  return (
    <li>
      <span>
        {upload.files[0]?.file_name ?? words.files(upload.file_count)}{' '}
        <small>{`${formatBytes(upload.total_bytes)} · ${formatTime(upload.created_at)}`}</small>
      </span>
      <Badge icon={icon} tone={tone}>
        {words.states[upload.status]}
      </Badge>
      {upload.item_ids.length > 0 && (
        <Link
          to="/view"
          search={({ v }: { v?: string }) => ({ ...(v ? { v } : {}), items: upload.item_ids.join(',') })}
        >
          {words.view}
        </Link>
      )}
      {[upload.error_message, ...reasons].filter(Boolean).map((reason) => (
        <p key={reason}>{reason}</p>
      ))}
    </li>
  )
}
