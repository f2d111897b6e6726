import type { ReactNode } from 'react'
import { auditTexts } from '../../texts/audit.ts'
import { buildTexts } from '../../texts/build.ts'
import { credentialsTexts } from '../../texts/credentials.ts'
import { webhooksTexts } from '../../texts/webhooks.ts'
import { Screen, type ScreenProps } from '../../ui/screen.tsx'
import { TabLinks } from '../../ui/tab-links.tsx'

const tabs = [
  { to: '/build', label: buildTexts.keys },
  { to: '/build/tokens', label: credentialsTexts.tokens.title },
  { to: '/build/clients', label: credentialsTexts.clients.title },
  { to: '/build/programs', label: credentialsTexts.programs.title },
  { to: '/build/tiles', label: buildTexts.tiles.title },
  { to: '/build/api', label: buildTexts.api },
  { to: '/build/webhooks', label: webhooksTexts.title },
  { to: '/build/events', label: buildTexts.events },
  { to: '/build/audit', label: auditTexts.title },
] as const

export interface BuildScreenProps extends Pick<ScreenProps, 'actions' | 'onBack'> {
  readonly children: ReactNode
}

export function BuildScreen({ children, ...rest }: BuildScreenProps) {
  return (
    <Screen title={buildTexts.title} {...rest} toolbar={<TabLinks label={buildTexts.tabs} tabs={tabs} />}>
      {children}
    </Screen>
  )
}
