/** The parts of Swagger UI that are used; the package has no types. */
declare module 'swagger-ui-dist/swagger-ui-es-bundle.js' {
  interface SwaggerOptions {
    readonly spec: object
    readonly domNode: Element
    readonly deepLinking: boolean
    readonly displayRequestDuration: boolean
    readonly docExpansion: 'list' | 'full' | 'none'
    readonly defaultModelsExpandDepth: number
    readonly filter: boolean
    readonly persistAuthorization: boolean
    readonly tryItOutEnabled: boolean
    readonly validatorUrl: null
  }
  export default function SwaggerUI(options: SwaggerOptions): unknown
}
