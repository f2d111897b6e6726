import type { Job } from '@swath/client/operations.ts'
import { useOperation } from '../../../api/use-operation.ts'
import { analyseTexts } from '../../../texts/analyse.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { Time } from '../../../ui/figures.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Section } from '../../../ui/screen.tsx'
import styles from '../analyse.module.css'
import { isOpen } from './job-states.ts'
import { useRefetchWhile } from './use-refetch-while.ts'
import layout from '../../../ui/layout.module.css'
import typography from '../../../ui/typography.module.css'

const words = analyseTexts

/** The log of a job, the oldest entry first. */
export function JobLog({ job }: { job: Job }) {
  const input = { job_id: job.id, limit: 100 }
  const refetch = useRefetchWhile()
  refetch.watch(isOpen(job))
  const log = useOperation('processing.job.log', input, refetch.options)
  return (
    <Section title={words.log} actions={<CopyCall operation="processing.job.log" input={input} />}>
      <QueryView query={log} rows={2} height_px={24}>
        {({ entries }) =>
          entries.length === 0 ? (
            <p className={typography['note']}>{words.noLog}</p>
          ) : (
            <ol className={`${layout['stack8']} ${styles['log']}`}>
              {entries.map(({ at, level, message }, index) => (
                <li className={layout['stack2']} key={`${at} ${index}`} data-level={level}>
                  <small className={layout['line']}>
                    <Time at={at} />
                    {level !== 'info' && <b>{words.levels[level]}</b>}
                  </small>
                  <span className={typography['anywhere']}>{message}</span>
                </li>
              ))}
            </ol>
          )
        }
      </QueryView>
    </Section>
  )
}
