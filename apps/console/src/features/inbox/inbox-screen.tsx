import type { ReactNode } from 'react'
import { useOperation } from '../../api/use-operation.ts'
import { inboxTexts } from '../../texts/inbox.ts'
import { notificationsTexts } from '../../texts/notifications.ts'
import { Screen } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const words = notificationsTexts

/** The frame of the inbox and the notifications of a person. */
export function InboxScreen({ actions, children }: { actions?: ReactNode; children: ReactNode }) {
  const unread = useOperation('notifications.unread_count', {}).data?.unread_count ?? 0
  const tabs = [
    { to: '/inbox', label: words.decisionsTab },
    { to: '/inbox/notifications', label: unread > 0 ? words.tabUnread(unread) : words.tab },
    { to: '/inbox/preferences', label: words.preferencesTab },
  ]
  return (
    <Screen title={inboxTexts.title} actions={actions} toolbar={<TabLinks label={words.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
