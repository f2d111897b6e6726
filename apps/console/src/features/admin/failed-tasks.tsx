import { CircleCheck } from 'lucide-react'
import { useOperation } from '../../api/use-operation.ts'
import { adminTexts } from '../../texts/admin.ts'
import { CopyCall } from '../../ui/copy-call.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Time } from '../../ui/figures.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { ActButton } from './act-button.tsx'
import { AdminScreen } from './admin-screen.tsx'
import { OrganizationNote } from './organization-note.tsx'
import layout from '../../ui/layout.module.css'
import typography from '../../ui/typography.module.css'

const words = adminTexts

/** Background tasks that have used up their attempts. */
export function FailedTasks() {
  const tasks = useOperation('admin.dead_letters.list', {})
  return (
    <AdminScreen actions={<CopyCall operation="admin.dead_letters.list" input={{}} />}>
      <QueryView query={tasks} rows={4}>
        {({ dead_letters }) =>
          dead_letters.length === 0 ? (
            <EmptyState icon={CircleCheck} title={words.noTasks}>
              <p>{words.noTasksHelp}</p>
            </EmptyState>
          ) : (
            dead_letters.map(({ id, task, subject, error, failed_at, organization_id, organization_name }) => (
              <article key={id} className={`${layout['stack8']} ${layout['inset']} ${layout['lineBelow']}`}>
                <header className={layout['spread']}>
                  <code>{task}</code>
                  <Time at={failed_at} />
                </header>
                <p className={typography['anywhere']}>{error}</p>
                {subject && <small>{subject}</small>}
                <OrganizationNote id={organization_id} name={organization_name} />
                <div className={layout['row']}>
                  <ActButton
                    kind="primary"
                    operation="admin.dead_letters.retry"
                    verb={words.retry}
                    title={words.retryTitle}
                    subject={task}
                    text={words.retryText}
                    input={{ dead_letter_id: id }}
                    affected={['admin.dead_letters.list']}
                  />
                </div>
              </article>
            ))
          )
        }
      </QueryView>
    </AdminScreen>
  )
}
