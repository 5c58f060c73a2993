import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';

const todos: string[] = [];

/** A list of todos that a language model can read and extend. */
export function createTodoServer(): McpServer {
  const server = new McpServer({ name: 'todos', version: '1.0.0' });
  server.registerTool(
    'add_todo',
    { description: 'Adds a todo to the list', inputSchema: { text: z.string().min(1).describe('What is to be done') } },
    async ({ text }) => {
      todos.push(text);
      server.sendResourceListChanged();
      return { content: [{ type: 'text', text: `There are ${todos.length} todos.` }] };
    },
  );
  server.registerResource('todos', 'todo://all', { mimeType: 'application/json' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'application/json', text: JSON.stringify(todos) }],
  }));
  server.registerPrompt('plan_day', { description: 'Asks for a plan of the day' }, () => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Plan my day. I have to: ${todos.join(', ')}.` } }],
  }));
  return server;
}
