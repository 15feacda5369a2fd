import * as z from 'zod/mini'
import { API } from '../contract/api.ts'
import type { ApiRoute } from '../contract/api-route.ts'
import { refusal } from '../contract/health.ts'
import { STREAM } from '../contract/stream.ts'

type Json = Readonly<Record<string, unknown>>

/** The API as OpenAPI 3.1, from the same table as the router. */
export function openapiDocument(version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  for (const [name, route] of Object.entries<ApiRoute>(API)) {
    const [method = '', path = ''] = name.split(' ')
    const address = path.replace(/:(\w+)/g, '{$1}')
    paths[address] = { ...paths[address], [method.toLowerCase()]: operationOf(name, route) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stint',
      version,
      description: 'What the command line can do to a ledger, over HTTP. Amounts are whole numbers; money is nano-USD.',
    },
    paths,
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key of `stint keys create --role …`.' },
        session: {
          type: 'apiKey',
          in: 'header',
          name: 'x-stint-session',
          description: 'The token of `POST /api/session`, in addition to its cookie.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'stint_session_PORT',
          description: 'The cookie of `POST /api/session`, with the port of the server in its name.',
        },
      },
      responses: { refusal: { description: 'A refusal', content: json(schemaOf(refusal, 'output')) } },
    },
  }
}

function operationOf(name: string, route: ApiRoute): Json {
  const { summary, role, onlyKeys, query, body, answer } = route
  const params = [...name.matchAll(/:(\w+)/g)].map(([, param]) => {
    return { name: param, in: 'path', required: true, schema: { type: 'string' } }
  })
  return {
    operationId: operationId(name),
    summary,
    ...(role === null ? {} : { description: `For the role ${role} and above.` }),
    security: role === null ? [] : onlyKeys ? [{ key: [] }] : [{ key: [] }, { session: [], cookie: [] }],
    parameters: [...params, ...(query === undefined ? [] : queryParameters(query))],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(schemaOf(body, 'input')) } }),
    responses: { 200: answerOf(answer), default: { $ref: '#/components/responses/refusal' } },
  }
}

function answerOf(answer: ApiRoute['answer']): Json {
  if (answer === 'text') return { description: 'Done', content: { 'text/plain': { schema: { type: 'string' } } } }
  if (answer !== 'stream') return { description: 'Done', content: json(schemaOf(answer, 'output')) }
  const events = Object.entries(STREAM).map(([event, schema]) => [event, schemaOf(schema, 'output')])
  const description = 'Server-sent events; `x-events` has the data of each.'
  return {
    description,
    content: { 'text/event-stream': { schema: { type: 'string' } } },
    'x-events': Object.fromEntries(events),
  }
}

function queryParameters(query: z.ZodMiniObject): readonly Json[] {
  const { properties = {}, required = [] } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, schema]) => {
    return { name, in: 'query', required: required.includes(name), schema }
  })
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): Json {
  // Answers may have further fields, of a newer version.
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: io === 'output' ? 'input' : io, unrepresentable: 'any' })
  return rest
}

function json(schema: Json): Json {
  return { 'application/json': { schema } }
}

/** `GET /api/scopes/:id/explain` → `getApiScopesIdExplain`: unique, because `/tasks` is also there without `/api`. */
function operationId(name: string): string {
  const words = name.split(/[^A-Za-z]+/).filter((word) => word !== '')
  return words
    .map((word, place) => (place === 0 ? word.toLowerCase() : `${word[0]!.toUpperCase()}${word.slice(1)}`))
    .join('')
}
