import { readProblem } from '@swath/client/problem.ts'
import { uploadMediaType, type SendBytes } from '@swath/client/transfer/send-bytes.ts'

/** With `XMLHttpRequest`: `fetch` does not tell how much of a body has been sent. */
export const sendBytes: SendBytes = (url, bytes, { signal, onSent }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const stop = (): void => request.abort()
    request.upload.addEventListener('progress', ({ loaded }) => onSent(loaded))
    request.addEventListener('load', () => {
      if (request.status >= 200 && request.status < 300) resolve()
      else void readProblem(toResponse(request)).then(reject)
    })
    request.addEventListener('error', () => reject(new TypeError('the connection was lost')))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    request.addEventListener('loadend', () => signal.removeEventListener('abort', stop))
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', stop)
    request.open('PUT', url)
    // An object store accepts the media type that the URL was signed for, and no other.
    request.setRequestHeader('content-type', uploadMediaType)
    request.send(bytes)
  })

function toResponse(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader('retry-after')
  return new Response(request.responseText, {
    status: request.status,
    headers: retryAfter === null ? {} : { 'retry-after': retryAfter },
  })
}
