import { UploadCloud } from 'lucide-react'
import type { OutputOf } from '@swath/client/operations.ts'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { isForbidden } from '../../../api/problem.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { CheckboxField, SelectField } from '../../../ui/field.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { useUploads } from '../../../uploads/uploads-context.tsx'
import { LibraryTabs } from '../library-tabs.tsx'
import { parseLibrarySearch } from '../search/library-search.ts'
import { RunningRow } from './running-row.tsx'
import { SessionRow } from './session-row.tsx'
import styles from './uploads.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = libraryTexts.upload_
const input = { limit: 50 } as const
/** The reading of a file ends without an event if it fails. */
const reading_ms = 3000
const readingStates: ReadonlySet<string> = new Set(['uploaded', 'ingesting'])

/** Files on their way into the library, and why some did not arrive. */
export function Uploads() {
  const { running } = useUploads()
  const [isReading, setReading] = useState(false)
  const uploads = useOperation('uploads.list', input, isReading ? { refetchInterval: reading_ms } : {})
  const isReadingNow = (uploads.data?.uploads ?? []).some(({ status }) => readingStates.has(status))
  if (isReadingNow !== isReading) setReading(isReadingNow)
  const mine = new Set(running.map(({ upload_id }) => upload_id))
  return (
    <Screen title={words.title} actions={<CopyCall operation="uploads.list" input={input} />} toolbar={<LibraryTabs />}>
      {running.length > 0 && (
        <Section title={words.running}>
          <ul className={`${layout['grid']} ${styles['rows']}`}>
            {running.map((upload) => (
              <RunningRow key={upload.id} upload={upload} />
            ))}
          </ul>
        </Section>
      )}
      {!isForbidden(uploads.error) && <DropZone />}
      <QueryView query={uploads} rows={3}>
        {({ uploads: list }) => {
          const others = list.filter(({ id }) => !mine.has(id))
          if (others.length === 0)
            return (
              running.length === 0 && (
                <EmptyState icon={UploadCloud} title={words.empty}>
                  <p>{words.emptyHelp}</p>
                </EmptyState>
              )
            )
          return (
            <Section title={words.sessions}>
              <ul className={`${layout['grid']} ${styles['rows']}`}>
                {others.map((upload) => (
                  <SessionRow key={upload.id} upload={upload} />
                ))}
              </ul>
            </Section>
          )
        }}
      </QueryView>
    </Screen>
  )
}

/** Takes files by drop or choice, for the project and the collection of the URL. */
function DropZone() {
  const uploads = useUploads()
  const navigate = useNavigate()
  const { project, collection } = parseLibrarySearch(useSearch({ strict: false }))
  const projects = useOperation('projects.list', {})
  const known = projects.data?.projects ?? []
  const project_id = known.find(({ id }) => id === project)?.id ?? known[0]?.id
  const collections = useOperation('collections.list', { project_id: project_id ?? '' }, { enabled: project_id !== undefined }) // prettier-ignore
  const choices = collections.data?.collections ?? []
  const collection_id = choices.find(({ id }) => id === collection)?.id ?? null
  const [isOver, setOver] = useState(false)
  const [is_categorical, setCategorical] = useState(false)
  const choose = (place: Place): void =>
    void navigate({
      to: '/library/uploads',
      search: ({ v }) => ({ ...(v ? { v } : {}), ...place }),
      replace: true,
    })
  const send = (files: FileList | null): void => {
    if (files && project_id) uploads.add({ project_id, collection_id, is_categorical }, [...files])
  }
  return (
    <div
      className={`${layout['stack8']} ${styles['drop']}`}
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
      <label className={`${layout['raised']} ${layout['relative']} ${typography['medium']} ${styles['choose']}`}>
        {words.choose}
        <input
          type="file"
          multiple
          disabled={!project_id}
          onChange={({ target }) => {
            send(target.files)
            // The same file can be chosen again.
            target.value = ''
          }}
        />
      </label>
      {projects.data && known.length === 0 ? (
        <NoProject />
      ) : (
        <UploadTarget projects={known} project_id={project_id} collections={choices} collection_id={collection_id} onChoose={choose} /> // prettier-ignore
      )}
      <CheckboxField label={words.classes} checked={is_categorical} onChange={setCategorical} />
    </div>
  )
}

interface Place {
  readonly project: string | undefined
  readonly collection?: string
}

interface UploadTargetProps {
  readonly projects: OutputOf<'projects.list'>['projects']
  readonly project_id: string | undefined
  readonly collections: OutputOf<'collections.list'>['collections']
  readonly collection_id: string | null
  readonly onChoose: (place: Place) => void
}

/** The target of the uploaded files. */
function UploadTarget({ projects, project_id, collections, collection_id, onChoose }: UploadTargetProps) {
  return (
    <div className={`${layout['pair']} ${layout['wide']}`}>
      <SelectField
        label={libraryTexts.project}
        value={project_id ?? ''}
        onChange={(id) => onChoose({ project: id })}
        choices={projects.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <SelectField
        label={libraryTexts.collection}
        value={collection_id ?? ''}
        onChange={(id) => onChoose({ project: project_id, ...(id ? { collection: id } : {}) })}
        choices={[
          { value: '', label: libraryTexts.noCollection },
          ...collections.map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
    </div>
  )
}

/** Files are uploaded into a project, which is made in the library. */
const NoProject = () => (
  <p>
    {words.noProject}{' '}
    <Link to="/library" search={keepView}>
      {words.toLibrary}
    </Link>
  </p>
)
