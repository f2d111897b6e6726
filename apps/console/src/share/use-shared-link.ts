import { useCallback, useEffect, useState } from 'react'
import type { Client } from '@swath/client/client.ts'
import { ApiProblem } from '@swath/client/problem.ts'
import { shareTexts as texts } from '../texts/share.ts'
import { explainFailure, type ClosedLink, type LinkFailure } from './link-failure.ts'
import { openVisit, readContent, readItems, type SharedContent, type Visit } from './open-link.ts'
import { readStoredVisit, storeVisit } from './stored-visit.ts'

/** A sentence, and the trace id for the operator's log. */
export interface FailureNote {
  readonly text: string
  readonly traceId: string | null
}

export type SharedLink =
  | { readonly step: 'opening' }
  | { readonly step: 'closed'; readonly closed: ClosedLink }
  | { readonly step: 'password'; readonly note: FailureNote | null; readonly isPending: boolean }
  | { readonly step: 'failed'; readonly note: FailureNote; readonly visit: Visit }
  | { readonly step: 'open'; readonly visit: Visit; readonly content: SharedContent }

export interface SharedLinkActions {
  /** Opens the link with its password. */
  readonly open: (password: string) => Promise<void>
  /** Reads the content of the stored visit again. */
  readonly retry: () => Promise<void>
  /** Adds the next items. */
  readonly readMore: () => Promise<void>
}

const askPassword = (note: FailureNote | null = null): SharedLink => ({ step: 'password', note, isPending: false })

/** An unknown session was issued before the secret of the server changed. */
const isVisitEnded = (error: unknown): boolean =>
  error instanceof ApiProblem && ['gone-expired', 'not-found'].includes(error.problem)

const toStep = (failure: LinkFailure, otherwise: (note: FailureNote) => SharedLink): SharedLink =>
  'closed' in failure ? { step: 'closed', closed: failure.closed } : otherwise(failure)

/** The link of the URL: asks for its password unless this tab has opened it already. */
export function useSharedLink(client: Client, closed: ClosedLink | null): readonly [SharedLink, SharedLinkActions] {
  const [stored] = useState(() => (closed ? null : readStoredVisit()))
  const [link, setLink] = useState<SharedLink>(() => {
    if (closed) return { step: 'closed', closed }
    return stored ? { step: 'opening' } : askPassword()
  })

  const show = useCallback(
    async (visit: Visit): Promise<void> => {
      try {
        setLink({ step: 'open', visit, content: await readContent(client, visit) })
      } catch (error) {
        // The link may have ended or only the visit: the password form finds out.
        if (isVisitEnded(error)) {
          storeVisit(null)
          return setLink(askPassword({ text: texts.password.sessionEnded, traceId: null }))
        }
        setLink(toStep(explainFailure(error), (note) => ({ step: 'failed', note, visit })))
      }
    },
    [client],
  )

  useEffect(() => {
    if (stored) void show(stored)
  }, [stored, show])

  const open = async (password: string): Promise<void> => {
    setLink({ step: 'password', note: null, isPending: true })
    try {
      const visit = await openVisit(client, linkToken(), password)
      storeVisit(visit)
      await show(visit)
    } catch (error) {
      setLink(toStep(explainFailure(error), askPassword))
    }
  }
  const retry = async (): Promise<void> => {
    if (link.step !== 'failed') return
    setLink({ step: 'opening' })
    await show(link.visit)
  }
  const readMore = async (): Promise<void> => {
    if (link.step !== 'open' || link.content.next_offset === null) return
    const { visit, content } = link
    const { items, ...rest } = await readItems(client, visit, link.content.next_offset)
    setLink({ step: 'open', visit, content: { ...content, ...rest, items: [...content.items, ...items] } })
  }
  return [link, { open, retry, readMore }]
}

/** The last part of the path. */
const linkToken = (): string => location.pathname.split('/').findLast((part) => part !== '') ?? ''
