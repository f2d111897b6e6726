import { BadgeCheck } from 'lucide-react'
import type { Eula } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../../api/use-operation.ts'
import { texts } from '../../texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import styles from './cart.module.css'

const max_agreements = 100

/** The licence agreements of the hosts, read and accepted here. Where the platform has none, there is nothing to show. */
export function Agreements({ hosts }: { hosts: readonly string[] }) {
  const eulas = useOperation('eulas.list', { size: max_agreements }, { enabled: hosts.length > 0 })
  const needed = eulas.data?.content.filter(({ providers }) => providers.some((provider) => hosts.includes(provider)))
  return needed?.map((eula) => <Agreement key={eula.id} eula={eula} />)
}

function Agreement({ eula: { id, title, isAccepted, currentDocumentId } }: { eula: Eula }) {
  return (
    <details open={!isAccepted}>
      <summary>
        {texts.cart.agreement(title)}{' '}
        {isAccepted && (
          <Badge icon={BadgeCheck} tone="good">
            {texts.cart.accepted}
          </Badge>
        )}
      </summary>
      {currentDocumentId && <Document eula_id={id} document_id={currentDocumentId} isAccepted={isAccepted} />}
    </details>
  )
}

interface DocumentProps {
  readonly eula_id: string
  readonly document_id: string
  readonly isAccepted: boolean
}

function Document({ eula_id, document_id, isAccepted }: DocumentProps) {
  const query = useOperation('eulas.document.get', { eula_id, document_id })
  const accept = useCommand('eulas.document.accept', ['eulas.list', 'eulas.document.get'])
  return (
    <QueryView query={query} rows={2}>
      {({ document: { version, content } }) => (
        <>
          <small className={styles['help']}>{texts.cart.version(version)}</small>
          <div className={styles['agreement']} tabIndex={0}>
            {content}
          </div>
          {!isAccepted && (
            <Button
              isPending={accept.isPending}
              onClick={() => accept.mutate({ eula_id, document_id, is_accepted: true })}
            >
              {texts.cart.accept}
            </Button>
          )}
          {accept.error && <ProblemNote error={accept.error} />}
        </>
      )}
    </QueryView>
  )
}
