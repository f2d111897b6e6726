import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Bell, CheckCheck } from 'lucide-react'
import { useState } from 'react'
import { isForbidden } from '../../../api/problem.ts'
import { useCommand, useOperation } from '../../../api/use-operation.ts'
import { keepView } from '../../../map/keep-view.ts'
import { notificationsTexts } from '../../../texts/notifications.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ProblemNote } from '../../../ui/problem-note.tsx'
import { QueryView } from '../../../ui/query-view.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { InboxScreen } from '../inbox-screen.tsx'
import { NotificationRow } from './notification-row.tsx'
import { notificationReads } from './notification-reads.ts'
import layout from '../../../ui/layout.module.css'

const words = notificationsTexts
const page_size = 50
const choices = [
  { value: 'all', label: words.all },
  { value: 'unread', label: words.unread },
] as const

type Shown = (typeof choices)[number]['value']

function useShown(): readonly [Shown, (shown: Shown) => void] {
  const navigate = useNavigate()
  const { show } = useSearch({ strict: false }) as { show?: unknown }
  const change = (value: Shown): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...(value === 'unread' ? { show: value } : {}) }),
      replace: true,
    })
  return [show === 'unread' ? 'unread' : 'all', change]
}

/** The notifications of this person, the newest first. */
export function Notifications() {
  const [shown, show] = useShown()
  const [limit, setLimit] = useState(page_size)
  const input = { unread_only: shown === 'unread', limit }
  const notifications = useOperation('notifications.list', input)
  return (
    <InboxScreen actions={<CopyCall operation="notifications.list" input={input} />}>
      <div className={`${layout['spread']} ${layout['inset']}`}>
        <Segments label={words.shown} choices={choices} value={shown} onChange={show} />
        {!isForbidden(notifications.error) && <ReadAll />}
      </div>
      <QueryView query={notifications} rows={5} height_px={72}>
        {({ notifications: rows, total }) =>
          rows.length === 0 ? (
            <NothingTold isUnreadOnly={shown === 'unread'} onShowAll={() => show('all')} />
          ) : (
            <>
              <ul className={layout['lineAbove']}>
                {rows.map((notification) => (
                  <NotificationRow key={notification.id} notification={notification} />
                ))}
              </ul>
              {total > rows.length && (
                <div className={`${layout['spread']} ${layout['inset']}`}>
                  <Button isPending={notifications.isFetching} onClick={() => setLimit(limit + page_size)}>
                    {words.more}
                  </Button>
                </div>
              )}
            </>
          )
        }
      </QueryView>
    </InboxScreen>
  )
}

/** Nothing while everything is read. */
function ReadAll() {
  const unread = useOperation('notifications.unread_count', {}).data?.unread_count ?? 0
  const readAll = useCommand('notifications.mark_all_read', notificationReads)
  return (
    <>
      {unread > 0 && (
        <Button icon={CheckCheck} isPending={readAll.isPending} onClick={() => readAll.mutate({})}>
          {words.readAll}
        </Button>
      )}
      {readAll.isError && <ProblemNote error={readAll.error} />}
    </>
  )
}

function NothingTold({ isUnreadOnly, onShowAll }: { isUnreadOnly: boolean; onShowAll: () => void }) {
  return (
    <EmptyState icon={Bell} title={isUnreadOnly ? words.noneUnread : words.none}>
      <p>{isUnreadOnly ? words.noneUnreadHelp : words.noneHelp}</p>
      {isUnreadOnly ? (
        <Button onClick={onShowAll}>{words.showAll}</Button>
      ) : (
        <Link to="/inbox/preferences" search={keepView}>
          {words.toPreferences}
        </Link>
      )}
    </EmptyState>
  )
}
