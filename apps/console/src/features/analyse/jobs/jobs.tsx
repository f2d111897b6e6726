import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight, ListChecks } from 'lucide-react'
import type { InputOf, Job, OutputOf } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { SelectField } from '../../../ui/field.tsx'
import { Time } from '../../../ui/figures.tsx'
import { formatCount } from '../../../ui/format.ts'
import { Image } from '../../../ui/image.tsx'
import { previewPath } from '../../../api/preview-path.ts'
import { QueryView } from '../../../ui/query-view.tsx'
import { AnalyseScreen } from '../analyse-screen.tsx'
import styles from '../analyse.module.css'
import { describeCredits } from './describe-credits.ts'
import { JobBadge } from './job-badge.tsx'
import { JobProgress } from './job-progress.tsx'
import { isOpen, jobGroups, type JobGroup } from './job-states.ts'
import { useProcessTitles } from './use-process-titles.ts'
import { useRefetchWhile } from './use-refetch-while.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts
const page_size = 20
const picture_px = 56

interface JobsUrl {
  readonly group: JobGroup | null
  readonly page: number
}

function parseJobsUrl(search: Readonly<Record<string, unknown>>): JobsUrl {
  const { state, page } = search
  return {
    group: typeof state === 'string' && Object.hasOwn(jobGroups, state) ? (state as JobGroup) : null,
    page: Number.isInteger(page) && Number(page) > 0 ? Number(page) : 0,
  }
}

/** The jobs that the person may see, the newest first. */
export function Jobs() {
  const navigate = useNavigate()
  const { group, page } = parseJobsUrl(useSearch({ strict: false }))
  const input: InputOf<'processing.jobs.list'> = { limit: page_size, page, ...(group ? { status: jobGroups[group].join(',') } : {}) } // prettier-ignore
  const refetch = useRefetchWhile()
  const jobs = useOperation('processing.jobs.list', input, refetch.options)
  refetch.watch(jobs.data?.jobs.some(isOpen))
  const change = (next: JobsUrl): void =>
    void navigate({
      to: '/analyse/jobs',
      search: ((previous: { v?: string }) => ({
        ...keepView(previous),
        ...(next.group ? { state: next.group } : {}),
        ...(next.page > 0 ? { page: next.page } : {}),
      })) as never,
    })
  return (
    <AnalyseScreen actions={<CopyCall operation="processing.jobs.list" input={input} />}>
      <div className={styles['filter']}>
        <SelectField
          label={words.state}
          value={group ?? ''}
          choices={[
            { value: '', label: words.allStates },
            ...Object.entries(words.groups).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(value) => change({ group: (value || null) as JobGroup | null, page: 0 })}
        />
      </div>
      <QueryView query={jobs} rows={5} height_px={64}>
        {(found) =>
          found.jobs.length === 0 ? (
            <NoJobs isFiltered={group !== null} onReset={() => change({ group: null, page: 0 })} />
          ) : (
            <JobPage found={found} onPage={(next) => change({ group, page: next })} />
          )
        }
      </QueryView>
    </AnalyseScreen>
  )
}

interface JobPageProps {
  readonly found: OutputOf<'processing.jobs.list'>
  readonly onPage: (page: number) => void
}

function JobPage({ found: { jobs, total, page, limit }, onPage }: JobPageProps) {
  const titleOf = useProcessTitles()
  const pages = Math.ceil(total / limit)
  return (
    <>
      <p className={`${layout['flat']} ${typography['muted']}`} role="status">
        {words.count(formatCount(total))}
      </p>
      <ul>
        {jobs.map((job) => (
          <li className={layout['lineAbove']} key={job.id}>
            <JobRow job={job} title={titleOf(job.process_id)} />
          </li>
        ))}
      </ul>
      {pages > 1 && (
        <nav className={`${layout['spread']} ${layout['inset']} ${layout['lineAbove']}`} aria-label={words.pages}>
          <Button icon={ChevronLeft} disabled={page === 0} onClick={() => page > 0 && onPage(page - 1)}>
            {words.newer}
          </Button>
          <span className="figures">{words.page(page + 1, pages)}</span>
          <Button icon={ChevronRight} disabled={page + 1 >= pages} onClick={() => page + 1 < pages && onPage(page + 1)}>
            {words.older}
          </Button>
        </nav>
      )}
    </>
  )
}

function JobRow({ job, title }: { job: Job; title: string }) {
  const { id, item_ids, created_at, input_params, failure } = job
  const name = typeof input_params['title'] === 'string' ? input_params['title'] : input_params['index']
  return (
    <Link
      to="/analyse/jobs/$jobId"
      params={{ jobId: id }}
      search={keepView}
      className={`${layout['pictureAndFacts']} ${layout['inset']} ${layout['choice']} ${typography['plain']}`}
    >
      {item_ids[0] ? (
        <Image path={previewPath(item_ids[0], 2 * picture_px)} alt="" width={picture_px} height={picture_px} />
      ) : (
        <span className={`${layout['tile']} ${layout['center']} ${layout['sunken']} ${typography['muted']}`}>
          <ListChecks size={20} aria-hidden />
        </span>
      )}
      <span className={`${layout['stack2']} ${layout['top']} ${layout['narrow']}`}>
        <strong className={`${typography['clip']} ${typography['medium']}`}>
          {[title, name].filter((part) => typeof part === 'string').join(' · ')}
        </strong>
        <span className={layout['lines']}>
          <JobBadge job={job} />
          <span className="figures">{describeCredits(job)}</span>
        </span>
        <JobProgress job={job} />
        {failure && <small>{failure.text}</small>}
        <small>
          <Time at={created_at} />
        </small>
      </span>
    </Link>
  )
}

function NoJobs({ isFiltered, onReset }: { isFiltered: boolean; onReset: () => void }) {
  return (
    <EmptyState icon={ListChecks} title={isFiltered ? words.noMatch : words.noJobs}>
      {isFiltered ? (
        <Button onClick={onReset}>{words.showAll}</Button>
      ) : (
        <>
          <p>{words.noJobsHelp}</p>
          <Link to="/analyse" search={keepView}>
            {words.toRun}
          </Link>
        </>
      )}
    </EmptyState>
  )
}
