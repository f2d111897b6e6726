import { X } from 'lucide-react'
import { isProblem } from '../../../api/problem.ts'
import { libraryTexts } from '../../../texts/library.ts'
import { Button } from '../../../ui/button.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { UnreadableFileError } from '@swath/client/transfer/errors.ts'
import type { RunningUpload } from '../../../uploads/upload-queue.ts'
import { useUploads } from '../../../uploads/uploads-context.tsx'
import styles from './uploads.module.css'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = libraryTexts.upload_

function describe({ state, size_bytes }: RunningUpload, sent_bytes: number): string {
  if (state.step === 'failed') return words.states.failed
  if (state.step === 'waiting') return words.waiting(formatBytes(sent_bytes), formatBytes(size_bytes))
  if (state.step !== 'sending') return words.steps[state.step]
  return words.sending(
    Math.floor((100 * sent_bytes) / Math.max(1, size_bytes)),
    formatBytes(sent_bytes),
    formatBytes(size_bytes),
  )
}

/** Why a file was not sent, where the sentence of the platform can be said better here. */
function describeFailure(error: unknown): string | null {
  if (error instanceof UnreadableFileError) return words.unreadable
  if (!isProblem(error, 'quota-storage')) return null
  const { free_bytes, needed_bytes } = error.document
  if (typeof free_bytes !== 'number' || typeof needed_bytes !== 'number') return null
  return words.noSpace(formatBytes(free_bytes), formatBytes(needed_bytes))
}

function Failure({ error }: { error: unknown }) {
  const text = describeFailure(error)
  return text === null ? (
    <ProblemNote error={error} />
  ) : (
    <p className={`${layout['rest']} ${typography['small']} ${typography['bad']}`} role="alert">
      {text}
    </p>
  )
}

/** A file that this page sends. */
export function RunningRow({ upload }: { upload: RunningUpload }) {
  const { retry, cancel } = useUploads()
  const { id, name, state, size_bytes } = upload
  const sent_bytes = 'sent_bytes' in state ? state.sent_bytes : 0
  return (
    <li className={layout['facts']}>
      <span className={`${layout['fill']} ${typography['medium']} ${typography['anywhere']} ${styles['name']}`}>
        {name}
      </span>
      {state.step === 'failed' && <Button onClick={() => retry(id)}>{words.retry}</Button>}
      <Button
        kind="quiet"
        icon={X}
        aria-label={words.cancelName(name)}
        title={words.cancel}
        onClick={() => cancel(id)}
      />
      <small className={`${layout['rest']} figures`} role="status">
        {describe(upload, sent_bytes)}
      </small>
      {state.step === 'failed' ? (
        <Failure error={state.error} />
      ) : (
        <progress
          max={Math.max(1, size_bytes)}
          aria-label={name}
          {...(state.step === 'checking' ? {} : { value: sent_bytes })}
        />
      )}
    </li>
  )
}
