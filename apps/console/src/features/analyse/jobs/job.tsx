import { Link, useParams } from '@tanstack/react-router'
import type { Job } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Credits, Time } from '../../../ui/figures.tsx'
import { Identifier } from '../../../ui/identifier.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Screen, Section } from '../../../ui/screen.tsx'
import { JobActions } from './job-actions.tsx'
import { JobBadge } from './job-badge.tsx'
import { JobLog } from './job-log.tsx'
import { JobProgress } from './job-progress.tsx'
import { JobResults } from './job-results.tsx'
import { hasEndedUncharged, isOpen } from './job-states.ts'
import { useProcessTitles } from './use-process-titles.ts'
import { useRefetchWhile } from './use-refetch-while.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'
import { geometryArea_km2 } from '@swath/geo/area.ts'
import type { AreaGeometry } from '@swath/geo/geojson.ts'
import { formatArea } from '../../../ui/format.ts'
import { labelOf } from '../form/process-fields.ts'
import { useSources } from '../sources/use-sources.ts'
import { listSourceIds } from './rerun.ts'

/** The inputs of a job. */
function JobInputs({ job: { input_params } }: { job: Job }) {
  const ids = listSourceIds(input_params)
  const sources = useSources(ids)
  const others = Object.entries(input_params).filter(([, value]) => ![value].flat().some((one) => ids.includes(one as string))) // prettier-ignore
  return (
    <Section title={analyseTexts.inputs}>
      <Facts
        facts={[
          [
            analyseTexts.facts.items,
            sources.items.length > 0 && (
              <span key="items">
                {sources.items.map(({ id, title }, at) => (
                  <span key={id}>
                    {at > 0 && ', '}
                    <Link to="/library/items/$itemId" params={{ itemId: id }} search={keepView}>
                      {title}
                    </Link>
                  </span>
                ))}
              </span>
            ),
          ],
          ...others.map(([name, value]) => [labelOf(name), showValue(value)] as const),
        ]}
      />
    </Section>
  )
}

const isArea = (value: object): value is AreaGeometry => 'coordinates' in value

function showValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return isArea(value) ? formatArea(geometryArea_km2(value)) : JSON.stringify(value)
}

const words = analyseTexts

/** One job: its state, results, costs, inputs and log. It updates by itself. */
export function JobDetail() {
  const { jobId } = useParams({ strict: false }) as { jobId: string }
  const titleOf = useProcessTitles()
  const refetch = useRefetchWhile()
  const job = useOperation('processing.job.get', { job_id: jobId }, refetch.options)
  refetch.watch(job.data && isOpen(job.data.job))
  return (
    <Screen
      title={job.data ? titleOf(job.data.job.process_id) : words.jobs}
      back={{ to: '/analyse/jobs', search: keepView }}
      actions={<CopyCall operation="processing.job.get" input={{ job_id: jobId }} />}
    >
      <QueryView query={job} rows={8}>
        {({ job: known }) => <JobParts job={known} title={titleOf(known.process_id)} />}
      </QueryView>
    </Screen>
  )
}

/** Describes the next step of a job, or how it ended and was charged. */
function describeNext(job: Job): string {
  const isPartlyCharged = (job.status === 'failed' || job.status === 'cancelled') && !hasEndedUncharged(job)
  return isPartlyCharged ? words.partlyCharged : words.next[job.status]
}

function JobParts({ job, title }: { job: Job; title: string }) {
  const { failure, reused_job_id, worker, attempt } = job
  return (
    <>
      <div className={`${layout['stack4']} ${layout['inset']} ${layout['starts']}`} role="status">
        <JobBadge job={job} />
        <JobProgress job={job} />
        <p>{describeNext(job)}</p>
        {failure && <p>{failure.text}</p>}
        {reused_job_id && (
          <p>
            {words.shared}{' '}
            <Link to="/analyse/jobs/$jobId" params={{ jobId: reused_job_id }} search={keepView}>
              {words.sharedFrom}
            </Link>
          </p>
        )}
        {isOpen(job) && worker === 'external' && <p>{words.external}</p>}
        {attempt > 1 && <p>{words.attempt(attempt)}</p>}
      </div>
      <JobActions job={job} title={title} />
      <JobResults job={job} />
      <JobMoney job={job} />
      <JobInputs job={job} />
      <JobLog job={job} />
      <JobTimes job={job} />
    </>
  )
}

const Sum = ({ credits }: { credits: number }) => <Credits credits={credits} aud={credits / 100} />

function JobMoney({ job: { credits_held, credits_captured, settlement } }: { job: Job }) {
  const isHeld = settlement === 'reserved'
  return (
    <Section title={words.money}>
      <Facts
        facts={[
          [words.held, <Sum key="held" credits={isHeld ? credits_held : 0} />],
          [words.captured, <Sum key="captured" credits={credits_captured} />],
          [words.released, <Sum key="released" credits={isHeld ? 0 : Math.max(0, credits_held - credits_captured)} />],
        ]}
      />
      <small className={typography['note']}>{words.neverCharged}</small>
    </Section>
  )
}

function JobTimes({ job: { id, created_at, started_at, finished_at } }: { job: Job }) {
  const seconds = started_at && finished_at ? (Date.parse(finished_at) - Date.parse(started_at)) / 1000 : null
  const took = seconds === null ? null : words.took(words.seconds(seconds.toFixed(seconds < 10 ? 1 : 0)))
  return (
    <Section title={words.details}>
      <Facts
        facts={[
          [words.created, <Time key="created" at={created_at} />],
          [words.started, started_at && <Time key="started" at={started_at} />],
          [
            words.finished,
            finished_at && (
              <span key="finished">
                <Time at={finished_at} /> {took}
              </span>
            ),
          ],
          [words.jobId, <Identifier key="id" id={id} />],
        ]}
      />
    </Section>
  )
}
