import { useNavigate } from '@tanstack/react-router'
import { Play, RotateCw } from 'lucide-react'
import type { Job } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { searchFor } from '../state/use-analyse-url.ts'
import { isOpen } from './job-states.ts'
import { toChoices } from './rerun.ts'
import layout from '../../../ui/layout.module.css'

const words = analyseTexts
const affected = ['processing.jobs.list', 'processing.job.get', 'processing.job.log', 'users.me'] as const

/** The actions on a job: start or stop it, run it again, or delete it. */
export function JobActions({ job, title }: { job: Job; title: string }) {
  return (
    <div className={`${layout['wrap']} ${layout['inset']} ${layout['lineBelow']}`}>
      {isOpen(job) ? (
        <>
          {job.status === 'pending' && <StartButton id={job.id} />}
          <CancelButton id={job.id} title={title} />
        </>
      ) : (
        <>
          <AgainButton job={job} />
          <DeleteButton id={job.id} title={title} />
        </>
      )}
    </div>
  )
}

interface NamedJob {
  readonly id: string
  /** Of its process. */
  readonly title: string
}

/** A job that a program has created waits until it is sent to a worker; its price is held already. */
function StartButton({ id }: { id: string }) {
  const start = useCommand('processing.dispatch', affected)
  return (
    <>
      <Button kind="primary" icon={Play} isPending={start.isPending} onClick={() => start.mutate({ job_id: id })}>
        {words.start}
      </Button>
      {start.isError && <ProblemNote error={start.error} />}
    </>
  )
}

function CancelButton({ id, title }: NamedJob) {
  const cancel = useCommand('processing.job.cancel', affected)
  return (
    <ConfirmButton
      label={words.cancelNamed}
      verb={words.cancel}
      kind="danger"
      title={words.cancelTitle}
      subject={title}
      text={words.cancelText}
      cancel={words.keep}
      call={['processing.job.cancel', { job_id: id }]}
      command={cancel}
    />
  )
}

/** The form with the inputs of the job: a person sees the price, and may change what went wrong, before it runs again. */
function AgainButton({ job }: { job: Job }) {
  const navigate = useNavigate()
  const { data } = useOperation('processing.catalog.list', {})
  const isOffered = data?.processes.some(({ id }) => id === job.process_id) ?? false
  if (!isOffered) return null
  const open = (): void =>
    void navigate({
      to: '/analyse/run/$processId',
      params: { processId: job.process_id },
      search: searchFor(toChoices(job)) as never,
    })
  return (
    <Button icon={RotateCw} onClick={open}>
      {job.status === 'completed' ? words.again : words.retry}
    </Button>
  )
}

function DeleteButton({ id, title }: NamedJob) {
  const navigate = useNavigate()
  const remove = useCommand('processing.job.delete', ['processing.jobs.list'])
  const leave = (): void => void navigate({ to: '/analyse/jobs', search: keepView })
  return (
    <ConfirmButton
      label={words.removeNamed}
      verb={words.remove}
      kind="danger"
      title={words.removeTitle}
      subject={title}
      text={words.removeText}
      cancel={words.keepJob}
      call={['processing.job.delete', { job_id: id }]}
      command={remove}
      onSuccess={leave}
    />
  )
}
