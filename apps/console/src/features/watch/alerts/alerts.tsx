import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { BellRing } from 'lucide-react'
import { keepView } from '../../../map/keep-view.ts'
import { alertsTexts } from '../../../texts/alerts.ts'
import { CopyCall } from '../../../ui/copy-call.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Segments } from '../../../ui/segments.tsx'
import { WatchScreen } from '../watch-screen.tsx'
import { AlertList } from './alert-list.tsx'
import layout from '../../../ui/layout.module.css'

const words = alertsTexts
const choices = [
  { value: 'open', label: words.open },
  { value: 'all', label: words.all },
] as const

/** The alerts of the rules, the newest first: those to acknowledge, or all of them. */
export function Alerts() {
  const navigate = useNavigate()
  const { alerts } = useSearch({ strict: false }) as { alerts?: unknown }
  const shown = alerts === 'all' ? 'all' : 'open'
  const show = (value: 'open' | 'all'): void =>
    void navigate({
      to: '.',
      search: ({ v }: { v?: string }) => ({ ...(v ? { v } : {}), ...(value === 'all' ? { alerts: value } : {}) }),
      replace: true,
    })
  const query = shown === 'all' ? {} : { acknowledged: false }
  return (
    <WatchScreen actions={<CopyCall operation="alerts.events.list" input={query} />}>
      <div className={layout['inset']}>
        <Segments label={words.shown} choices={choices} value={shown} onChange={show} />
      </div>
      <AlertList
        query={query}
        hasMap
        empty={shown === 'all' ? <NoAlerts /> : <NothingOpen onShowAll={() => show('all')} />}
      />
    </WatchScreen>
  )
}

const NoAlerts = () => (
  <EmptyState icon={BellRing} title={words.none}>
    <p>{words.noneHelp}</p>
    <Link to="/watch/rules" search={keepView}>
      {words.toRules}
    </Link>
  </EmptyState>
)

const NothingOpen = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState icon={BellRing} title={words.noneOpen}>
    <p>{words.noneOpenHelp}</p>
    <div className={layout['row']}>
      <Button onClick={onShowAll}>{words.showAll}</Button>
      <Link to="/watch/rules" search={keepView}>
        {words.toRules}
      </Link>
    </div>
  </EmptyState>
)
