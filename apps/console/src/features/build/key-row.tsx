import { Ban, CircleCheck, Hourglass } from 'lucide-react'
import { useState } from 'react'
import type { ApiKey } from '@swath/client/operations.ts'
import { useCommand } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyCall } from '../../ui/copy-call.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/figures.tsx'
import { formatCredits } from '../../ui/format.ts'
import { Identifier } from '../../ui/identifier.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { Section } from '../../ui/screen.tsx'
import { describePermissions } from './permissions.ts'
import styles from './build.module.css'

const words = texts.build.key

export interface KeyRowProps {
  readonly apiKey: ApiKey
  /** Absent for a key that is revoked. */
  readonly onReplace?: () => void
}

/** What a key may do, when it was used, and ways to end it. */
export function KeyRow({ apiKey, onReplace }: KeyRowProps) {
  const { name, prefix, permissions, spend_cap_credits, rate_limit, last_used_at, expires_at, created_at } = apiKey
  return (
    <Section title={name} actions={<KeyState apiKey={apiKey} />}>
      <Facts
        facts={[
          [words.prefix, <Identifier key="prefix" id={`${prefix}…`} />],
          [texts.build.scopes, describePermissions(permissions)],
          [words.cap, spend_cap_credits === null ? words.noCap : formatCredits(spend_cap_credits)],
          [words.rate, rate_limit !== null && words.perMinute(rate_limit)],
          [words.used, last_used_at ? <Time key="used" at={last_used_at} /> : words.never],
          [words.created, <Time key="created" at={created_at} />],
          [words.ends, expires_at ? <Time key="ends" at={expires_at} /> : words.never],
        ]}
      />
      {onReplace && (
        <div className={styles['row']}>
          <Button aria-label={texts.build.rotateNamed(name)} onClick={onReplace}>
            {texts.build.rotate}
          </Button>
          <RevokeKey apiKey={apiKey} />
        </div>
      )}
    </Section>
  )
}

function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at)
    return (
      <Badge icon={Ban} tone="neutral">
        {texts.build.revoked}
      </Badge>
    )
  if (expires_at && Date.parse(expires_at) < Date.now())
    return (
      <Badge icon={Hourglass} tone="neutral">
        {texts.build.expired}
      </Badge>
    )
  return (
    <Badge icon={CircleCheck} tone="good">
      {texts.build.works}
    </Badge>
  )
}

function RevokeKey({ apiKey: { id, name } }: { apiKey: ApiKey }) {
  const [isAsking, setAsking] = useState(false)
  const revoke = useCommand('api_keys.revoke', ['api_keys.list'])
  const close = (): void => setAsking(false)
  return (
    <>
      <Button kind="danger" aria-label={texts.build.revokeNamed(name)} onClick={() => setAsking(true)}>
        {texts.build.revoke}
      </Button>
      {isAsking && (
        <Dialog
          title={texts.build.revokeTitle}
          onClose={close}
          actions={
            <>
              <CopyCall operation="api_keys.revoke" input={{ key_id: id }} />
              <Button onClick={close}>{texts.build.keep}</Button>
              <Button
                kind="danger"
                isPending={revoke.isPending}
                onClick={() => revoke.mutate({ key_id: id }, { onSuccess: close })}
              >
                {texts.build.revoke}
              </Button>
            </>
          }
        >
          <p>
            <strong>{name}</strong>
          </p>
          <p>{texts.build.revokeText}</p>
          {revoke.isError && <ProblemNote error={revoke.error} />}
        </Dialog>
      )}
    </>
  )
}
