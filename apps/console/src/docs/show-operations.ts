import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js'
import 'swagger-ui-dist/swagger-ui.css'
import './swagger-ui-types.ts'

/** Shows the operations of an OpenAPI document with forms that call them on this server. */
export function showOperations(domNode: Element, document: object): void {
  SwaggerUI({
    // Also if the server is configured with another base URL: the page may call its own origin only.
    spec: { ...document, servers: [{ url: location.origin }] },
    domNode,
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: 'none',
    defaultModelsExpandDepth: -1,
    filter: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    // No external service validates the document.
    validatorUrl: null,
  })
}
