import { useState } from 'react'
import type { EulaDocument, RequiredEula } from '@swath/client/operations.ts'
import { useCommand, useOperation } from '../api/use-operation.ts'
import { paymentsTexts } from '../texts/payments.ts'
import { CheckboxField } from '../ui/field.tsx'
import { ProblemNote } from '../ui/problem-note.tsx'
import { QueryView } from '../ui/query-view.tsx'
import styles from './payments.module.css'
import layout from '../ui/layout.module.css'

/** The licence agreements that the order needs: each is read and accepted here, once for the organization. */
export const Agreements = ({ eulas }: { eulas: readonly RequiredEula[] }) =>
  eulas.map((eula) => <Agreement key={eula.documentId} eula={eula} />)

function Agreement({ eula: { eulaId, documentId, title, version, ...eula } }: { eula: RequiredEula }) {
  const [isOpen, setOpen] = useState(false)
  const accept = useCommand('eulas.document.accept', ['orders.archive.estimate', 'eulas.list', 'eulas.document.get'])
  const ids = { eula_id: eulaId, document_id: documentId }
  const isAccepted = eula.isAccepted || accept.isSuccess
  return (
    <div>
      <CheckboxField
        label={
          <>
            {paymentsTexts.agreement(title, version)}
            <br />
            <small>{isAccepted ? paymentsTexts.accepted : paymentsTexts.accept}</small>
          </>
        }
        checked={isAccepted || accept.isPending}
        disabled={isAccepted || accept.isPending}
        onChange={() => accept.mutate({ ...ids, is_accepted: true })}
      />
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>{paymentsTexts.agreementText}</summary>
        {isOpen && <AgreementText {...ids} />}
      </details>
      {accept.error && <ProblemNote error={accept.error} />}
    </div>
  )
}

function AgreementText(ids: { eula_id: string; document_id: string }) {
  const query = useOperation('eulas.document.get', ids)
  return (
    <QueryView query={query} rows={2}>
      {({ document }) => <AgreementContent document={document} />}
    </QueryView>
  )
}

const AgreementContent = ({ document: { content, mediaType } }: { document: EulaDocument }) =>
  mediaType === 'text/uri-list' ? (
    <a href={content} target="_blank" rel="noreferrer">
      {content}
    </a>
  ) : (
    <div className={`${layout['boxed']} ${styles['agreement']}`} tabIndex={0}>
      {content}
    </div>
  )
