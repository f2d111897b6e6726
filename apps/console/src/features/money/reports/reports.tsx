import { useSearch } from '@tanstack/react-router'
import { Download, FileText, Plus } from 'lucide-react'
import { useState } from 'react'
import type { OutputOf } from '@swath/client/operations.ts'
import { usePlatform } from '../../../api/platform.tsx'
import { isForbidden } from '../../../api/problem.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { reportsTexts } from '../../../texts/reports.ts'
import { Button } from '../../../ui/button.tsx'
import { ConfirmButton } from '../../../ui/confirm-button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { formatBytes, formatDate, formatTime } from '../../../ui/format.ts'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { saveFile } from '../../../ui/save-file.ts'
import { Section } from '../../../ui/screen.tsx'
import { MoneyScreen } from '../money-screen.tsx'
import { ReportForm } from './report-form.tsx'
import styles from './reports.module.css'
import layout from '../../../ui/layout.module.css'

type Report = OutputOf<'reports.list'>['reports'][number]
type Schedule = OutputOf<'reports.schedules.list'>['schedules'][number]

const words = reportsTexts
const page = { limit: 100 }

/** Reports of the signed-in person, and what generates them regularly. */
export function Reports() {
  const [isCreating, setCreating] = useState(false)
  const reports = useOperation('reports.list', page)
  const schedules = useOperation('reports.schedules.list', page)
  // The report that an e-mail leads to.
  const { report: current } = useSearch({ strict: false }) as { report?: string }
  return (
    <MoneyScreen
      actions={
        <>
          <CopyCall operation="reports.list" input={page} />
          {!isForbidden(reports.error) && (
            <Button kind="primary" icon={Plus} onClick={() => setCreating(true)}>
              {words.create}
            </Button>
          )}
        </>
      }
    >
      {isCreating && <ReportForm onDone={() => setCreating(false)} />}
      <QueryView query={reports} rows={4}>
        {({ reports: known }) =>
          known.length === 0 ? (
            <EmptyState icon={FileText} title={words.none}>
              <p>{words.noneHelp}</p>
            </EmptyState>
          ) : (
            known.map((report) => <ReportRow key={report.id} report={report} isCurrent={report.id === current} />)
          )
        }
      </QueryView>
      {schedules.isError && !reports.isError && (
        <ProblemNote error={schedules.error} onRetry={() => void schedules.refetch()} retriesItself />
      )}
      {schedules.data && schedules.data.schedules.length > 0 && (
        <Section title={words.schedules}>
          {schedules.data.schedules.map((schedule) => (
            <ScheduleRow key={schedule.id} schedule={schedule} />
          ))}
        </Section>
      )}
    </MoneyScreen>
  )
}

function ReportRow({ report, isCurrent }: { report: Report; isCurrent: boolean }) {
  const { client } = usePlatform()
  const [error, setError] = useState<unknown>(null)
  const remove = useCommand('reports.delete', ['reports.list'])
  const input = { report_id: report.id }
  // URLs end after some minutes: each download gets a new one.
  const download = async (format: string): Promise<void> => {
    const { files } = await client.call('reports.get', input)
    const file = files.find((other) => other.format === format)
    if (file) saveFile(file.url, `${report.name}.${format}`)
  }
  return (
    <article
      className={`${layout['stack4']} ${layout['inset']} ${layout['lineBelow']} ${styles['report']}`}
      data-current={isCurrent || undefined}
    >
      <header className={layout['spread']}>
        <strong>{report.name}</strong>
        <ConfirmButton
          label={words.removeNamed(report.name)}
          verb={words.remove}
          kind="danger"
          title={words.removeTitle}
          subject={report.name}
          text={words.removeText}
          cancel={words.keep}
          call={['reports.delete', input]}
          command={remove}
        />
      </header>
      <small>
        {[
          words.types[report.report_type],
          report.area_name,
          words.interval_of(formatDate(report.from), formatDate(report.to)),
          words.until(formatDate(report.expires_at)),
        ]
          .filter(Boolean)
          .join(' · ')}
      </small>
      <div className={layout['facts']}>
        {report.files.map(({ format, size_bytes }) => (
          <Button
            key={format}
            icon={Download}
            aria-label={words.downloadNamed(
              report.name,
              words.download(words.formatNames[format], formatBytes(size_bytes)),
            )}
            onClick={() => void download(format).catch(setError)}
          >
            {words.download(words.formatNames[format], formatBytes(size_bytes))}
          </Button>
        ))}
      </div>
      {error !== null && <ProblemNote error={error} isRead />}
    </article>
  )
}

function ScheduleRow({ schedule }: { schedule: Schedule }) {
  const { id, name, report_type, frequency, next_run_at, ended_reason } = schedule
  const remove = useCommand('reports.schedules.delete', ['reports.schedules.list'])
  const input = { schedule_id: id }
  return (
    <article
      className={`${layout['stack4']} ${layout['inset']} ${layout['lineBelow']} ${styles['report']} ${styles['schedule']}`}
    >
      <header className={layout['spread']}>
        <strong>{name}</strong>
        <ConfirmButton
          label={words.endNamed(name)}
          verb={words.end}
          kind="danger"
          title={words.removeScheduleTitle}
          subject={name}
          text={words.removeScheduleText}
          cancel={words.keep}
          call={['reports.schedules.delete', input]}
          command={remove}
        />
      </header>
      <small>
        {[words.types[report_type], words.frequencies[frequency], next_run_at && words.next(formatTime(next_run_at))]
          .filter(Boolean)
          .join(' · ')}
      </small>
      {ended_reason && <p>{words.ended(ended_reason)}</p>}
    </article>
  )
}
